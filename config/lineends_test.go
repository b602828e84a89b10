package config

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Editors of other systems write CRLF and a byte order mark; neither changes what a file means, nor where
// its mistakes are.
func TestLineEndsAndByteOrderMark(t *testing.T) {
	yaml, err := PresetYAML("nic-serial")
	require.NoError(t, err)
	want, err := Parse("f.yaml", yaml)
	require.NoError(t, err)
	foreign := "\ufeff" + strings.ReplaceAll(string(yaml), "\n", "\r\n")
	got, err := Parse("f.yaml", []byte(foreign))
	require.NoError(t, err)
	require.Equal(t, want.Hash, got.Hash)

	plain := parseText("design: nic\nflows: 0\n")
	require.Equal(t, plain, parseText("\ufeffdesign: nic\r\nflows: 0\r\n"))
	require.Contains(t, plain, "f.yaml:2:8: ")
}
