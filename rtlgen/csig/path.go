package csig

import (
	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// wait puts an editor after the path that stops when the output does.
func wait(m *vgen.Module, c *block.Shape, p transit.Path, decision *block.Decision, out *vgen.Stream[transit.AxisOut]) {
	word := transit.Beat(p.In.Payload.BeatIn)
	beats, decisions := p.Wait(m, &word, decision)
	editor := vgen.Instantiate[block.EditorPorts](m, "u_editor", block.Editor(c))
	m.Assign(editor.BeatValid, beats.OutValid)
	m.Assign(beats.OutReady, editor.BeatReady)
	vgen.Connect(m, &editor.Beat, &word)
	m.Assign(editor.DecisionValid, decisions.OutValid)
	m.Assign(decisions.OutReady, editor.DecisionReady)
	vgen.Connect(m, &editor.Decision, decision)
	m.Assign(out.Valid, editor.OutValid)
	m.Assign(editor.OutReady, out.Ready)
	vgen.Connect(m, &out.Payload, &editor.Out)
}

// flow puts an editor after the path that never stops.
func flow(m *vgen.Module, c *block.Shape, p transit.Path, decision *block.Decision, out *vgen.Stream[transit.AxisOut]) {
	f := p.Flow(m, decision)
	editor := vgen.Instantiate[block.EditorPorts](m, "u_editor", block.Editor(c))
	m.Assign(editor.BeatValid, f.Valid)
	m.Assign(editor.First, f.First)
	vgen.Connect(m, &editor.Beat, &f.Beat)
	vgen.Connect(m, &editor.Decision, decision)
	f.Leave(editor.OutValid, editor.Absorbed, &editor.Out, out)
}
