package vgen_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// A module that is used twice is renamed once, and instances refer to the new name.
func TestPrefixRenamesEveryModuleOnce(t *testing.T) {
	child := vgen.NewModule("child", "Inverts")
	child.Assign(child.Output("q", 1, "inverse"), child.Input("d", 1, "value").Not())
	top := vgen.NewModule("top", "Inverts twice")
	d, q := top.Input("d", 1, "value"), top.Output("q", 1, "the same value")
	a, b := top.Instance("u_a", child), top.Instance("u_b", child)
	top.Assign(a.Port("d"), d)
	top.Assign(b.Port("d"), a.Port("q"))
	top.Assign(q, b.Port("q"))
	top.Prefix("left_")

	files, err := vgen.Emit(top, vgen.EmitOptions{})
	require.NoError(t, err)
	require.Len(t, files, 2)
	require.Equal(t, "left_child.v", files[0].Name)
	require.Equal(t, "left_top.v", files[1].Name)
	require.Contains(t, string(files[1].Text), "left_child u_a (")
	require.NotContains(t, strings.ReplaceAll(string(files[1].Text), "left_child", ""), "child")
}
