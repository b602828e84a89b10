package main

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"testing"

	"github.com/jstemmer/go-junit-report/v2/junit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// outcome runs a command line with --junit and gives its test.
func outcome(t *testing.T, status int, args ...string) junit.Testcase {
	t.Helper()
	dir := t.TempDir()
	r := hpccgen(t, dir, nil, append(args, "--junit", "report.xml")...)
	require.Equal(t, status, r.status, r.errOut)
	text, err := os.ReadFile(filepath.Join(dir, "report.xml"))
	require.NoError(t, err)
	var suites junit.Testsuites
	require.NoError(t, xml.Unmarshal(text, &suites))
	require.Equal(t, 1, suites.Tests)
	return suites.Suites[0].Testcases[0]
}

// A CI server sees one test for each run: passed, failed or in error.
func TestJUnit(t *testing.T) {
	passed := outcome(t, exitOK, "cosim", "--config", "nic-serial", "--engine", "go", "--cycles", "300", "--seed", "1")
	assert.Equal(t, "nic-serial", passed.Name)
	assert.Equal(t, "hpccgen.cosim", passed.Classname)
	assert.Contains(t, passed.SystemOut.Data, "0 mismatches")
	assert.Nil(t, passed.Failure)
	assert.Nil(t, passed.Error)

	wrong := outcome(t, exitWrong, "replay", "--config", "nic-line", "--trace", "none.trace.csv", "--engine", "model",
		"--out", "o")
	assert.Equal(t, "nic-line none.trace.csv", wrong.Name)
	assert.Contains(t, wrong.Error.Message, "--trace none.trace.csv: no such file")
	assert.Nil(t, wrong.Failure)
}
