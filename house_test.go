package hpccgen_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/hdlpkg/hpccgen"

// rule forbids packages under one folder to depend on packages under others.
type rule struct {
	of     string   // folder; "" for all
	except []string // folders in it that may
	not    []string // folders it must not depend on; "" for the whole project
	tests  bool     // the files of tests too
}

// rules are those of the design: docs/architecture.md.
var rules = []rule{
	// Model and generator are written independently, each from the documents: an error of one must not be an error of
	// both.
	{of: "model", not: []string{"rtlgen", "verify", "cmd", "synth"}, tests: true},
	{of: "rtlgen", not: []string{"model", "verify", "cmd", "synth"}},
	// The frame of an engine knows no law.
	{of: "rtlgen/engine", not: []string{"rtlgen/law"}, tests: true},
	// vgen is a library of its own.
	{of: "rtlgen/vgen", not: []string{""}},
	{of: "config", not: []string{"model", "rtlgen", "verify", "cmd", "synth", "sim", "telemetry"}, tests: true},
	{of: "fixed", not: []string{""}},
	// Records that generator and model share: data alone.
	{of: "config/timing", not: []string{""}},
	{of: "internal", not: []string{""}, tests: true},
	{of: "synth", not: []string{"model", "verify", "cmd"}},
	{of: "", except: []string{"cmd"}, not: []string{"cmd"}, tests: true},
}

// under tells whether a package is in a folder of the project.
func under(path, folder string) bool {
	full := module
	if folder != "" {
		full += "/" + folder
	}
	return path == full || strings.HasPrefix(path, full+"/")
}

// broken lists what breaks a rule, as "importer -> imported". deps gives each package's dependencies.
func (r rule) broken(deps map[string][]string) []string {
	var list []string
	for pkg, imports := range deps {
		if !under(pkg, r.of) || slices.ContainsFunc(r.except, func(f string) bool { return under(pkg, f) }) {
			continue
		}
		for _, i := range imports {
			// Packages of the folder itself are its own affair.
			own := r.of != "" && under(i, r.of)
			if !own && slices.ContainsFunc(r.not, func(f string) bool { return under(i, f) }) {
				list = append(list, pkg+" -> "+i)
			}
		}
	}
	slices.Sort(list)
	return list
}

// dependencies reads go list: all dependencies of each package of the project, and with them what its tests import.
func dependencies(t *testing.T) (code, tests map[string][]string) {
	t.Helper()
	out, err := exec.Command("go", "list", "-e", "-json=ImportPath,Deps,TestImports,XTestImports", "./...").Output()
	require.NoError(t, err, "go list")
	code, tests = map[string][]string{}, map[string][]string{}
	dec := json.NewDecoder(bytes.NewReader(out))
	for dec.More() {
		var p struct {
			ImportPath                      string
			Deps, TestImports, XTestImports []string
		}
		require.NoError(t, dec.Decode(&p))
		code[p.ImportPath] = p.Deps
		tests[p.ImportPath] = slices.Concat(p.Deps, p.TestImports, p.XTestImports)
	}
	return code, tests
}

func TestHouseRules(t *testing.T) {
	code, tests := dependencies(t)
	for _, folder := range []string{"model", "rtlgen", "config", "fixed", "verify", "cmd"} {
		found := false
		for pkg := range code {
			found = found || under(pkg, folder)
		}
		require.True(t, found, "no package under %s: the rules check nothing", folder)
	}
	for _, r := range rules {
		deps := code
		if r.tests {
			deps = tests
		}
		assert.Empty(t, r.broken(deps), "packages under %q depend on what they must not", r.of)
	}
}

// The rules notice what they forbid.
func TestHouseRulesFail(t *testing.T) {
	for _, c := range []struct{ from, to string }{
		{"model/law/hpcc", "rtlgen/engine"}, {"model/law/hpcc", "verify/cosim"}, {"rtlgen/law/hpcc", "model/law/hpcc"},
		{"rtlgen/output", "verify/engine"},
		{"rtlgen/engine", "rtlgen/law/hpcc"}, {"rtlgen/vgen", "config"}, {"rtlgen/vgen", "fixed"},
		{"config", "model/law/hpcc"}, {"config/timing", "config"}, {"fixed", "config"}, {"verify/cosim", "cmd/hpccgen"},
		{"internal/toolchain", "config"}, {"synth", "verify/engine"}, {"synth", "model/law/hpcc"},
	} {
		deps := map[string][]string{module + "/" + c.from: {"fmt", module + "/" + c.to}}
		var broken []string
		for _, r := range rules {
			broken = append(broken, r.broken(deps)...)
		}
		assert.Contains(t, broken, module+"/"+c.from+" -> "+module+"/"+c.to)
	}
	allowed := map[string][]string{
		module + "/model/hpcc":      {module + "/config", module + "/model/wide"},
		module + "/rtlgen/law/hpcc": {module + "/config", module + "/rtlgen/vgen"},
		module + "/config":          {module + "/fixed"},
	}
	for _, r := range rules {
		assert.Empty(t, r.broken(allowed))
	}
}

// Nothing is left for later in the code.
func TestNothingLeftOpen(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.Dir}}", "./...").Output()
	require.NoError(t, err)
	words := []string{"TO" + "DO", "FIX" + "ME", "XX" + "X:"}
	for dir := range strings.Lines(string(out)) {
		files, err := filepath.Glob(filepath.Join(strings.TrimSpace(dir), "*.go"))
		require.NoError(t, err)
		for _, f := range files {
			text, err := os.ReadFile(f)
			require.NoError(t, err)
			for _, w := range words {
				assert.NotContains(t, string(text), w, f)
			}
		}
	}
}
