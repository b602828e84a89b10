package hpccgen_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/output"
)

// The version stands in the emitted files, the changelog, the citation and, once there is one, the tag.
func TestOneVersion(t *testing.T) {
	text, err := os.ReadFile("CHANGELOG.md")
	require.NoError(t, err)
	newest := regexp.MustCompile(`(?m)^## (\S+)`).FindSubmatch(text)
	require.NotNil(t, newest)
	assert.Equal(t, output.Version, string(newest[1]))
	text, err = os.ReadFile("CITATION.cff")
	require.NoError(t, err)
	var citation struct{ Version string }
	require.NoError(t, yaml.Unmarshal(text, &citation))
	assert.Equal(t, output.Version, citation.Version)
	tags, err := exec.Command("git", "tag", "--points-at", "HEAD").Output()
	if err != nil {
		return // no checkout of git
	}
	for _, tag := range strings.Fields(string(tags)) {
		if strings.HasPrefix(tag, "v") {
			assert.Equal(t, "v"+output.Version, tag)
		}
	}
}

// workflow is what the tests read of a workflow or an action of GitHub.
type workflow struct {
	Inputs map[string]struct {
		Required bool
		Default  string
	}
	Runs struct{ Steps []step }
	Jobs map[string]struct{ Steps []step }
}

type step struct {
	Uses string
	With map[string]any
	Run  string
	Env  map[string]string
}

func readWorkflow(t *testing.T, path string) workflow {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var w workflow
	require.NoError(t, yaml.Unmarshal(text, &w), path)
	return w
}

// The document, the example and the script know the inputs of the action, and no others.
func TestActionInputs(t *testing.T) {
	action := readWorkflow(t, "action.yml")
	document, err := os.ReadFile("docs/ci.md")
	require.NoError(t, err)
	script, err := os.ReadFile("scripts/check-design")
	require.NoError(t, err)
	handed := action.Runs.Steps[len(action.Runs.Steps)-1].Env
	assert.Len(t, handed, len(action.Inputs))
	for name := range action.Inputs {
		assert.Contains(t, string(document), "\n| `"+name+"` | ")
		assert.Equal(t, "${{ inputs."+name+" }}", handed[strings.ToUpper(name)])
		assert.Contains(t, string(script), "\n#   "+strings.ToUpper(name)+" ")
	}
	for _, s := range readWorkflow(t, "docs/ci/workflow.yml").Jobs["cosim"].Steps {
		if strings.HasPrefix(s.Uses, "hdlpkg/hpccgen@") {
			for name := range s.With {
				assert.Contains(t, action.Inputs, name)
			}
			for name, in := range action.Inputs {
				assert.True(t, !in.Required || s.With[name] != nil, "%s is required", name)
			}
		}
	}
	assert.Contains(t, readWorkflow(t, ".github/workflows/ci.yml").Jobs, "test")
}

// scripts/check-design passes for what generate has written, and fails when that is changed.
func TestCheckDesign(t *testing.T) {
	dir := t.TempDir()
	bin := dir + "/hpccgen"
	out, err := exec.Command("go", "build", "-o", bin, "./cmd/hpccgen").CombinedOutput()
	require.NoError(t, err, "%s", out)
	generated := dir + "/my rtl"
	out, err = exec.Command(bin, "generate", "--config", "nic-serial", "--out", generated).CombinedOutput()
	require.NoError(t, err, "%s", out)
	check := func() (string, int) {
		cmd := exec.Command("scripts/check-design")
		cmd.Env = append(os.Environ(), "HPCCGEN="+bin, "CONFIG=nic-serial", "COMMITTED="+generated, "ENGINE=go",
			"CYCLES=500", "REPORT="+dir+"/a report")
		out, _ := cmd.CombinedOutput()
		return string(out), cmd.ProcessState.ExitCode()
	}
	said, status := check()
	require.Zero(t, status, said)
	assert.Contains(t, said, "500 cycles")
	assert.FileExists(t, dir+"/a report/cosim.xml")
	assert.FileExists(t, dir+"/a report/cosim.json")

	file := generated + "/rtl/nic_serial_hpcc_average.v"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, append(text, "// edited\n"...), 0o666))
	said, status = check()
	assert.Equal(t, 1, status)
	assert.Contains(t, said, "-// edited")
}
