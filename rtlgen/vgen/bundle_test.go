package vgen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

type recordPorts struct {
	In  record `port:"s_" dir:"in"`
	Out record `port:"m_" dir:"out"`
}

type record struct {
	Kind   vgen.Signal   `port:"kind" width:"2"`
	Absent vgen.Signal   `port:"absent" width:"none"`
	Byte   []vgen.Signal `port:"byte%d" count:"2" width:"8"`
	Time   span          `port:"time_"`
}

type span struct {
	From vgen.Signal `port:"from" width:"4"`
	To   vgen.Signal `port:"to" width:"5"`
}

// through is a module whose record goes out as it has come in, by way of what wire makes of it.
func through(name string, none int, wire func(m *vgen.Module, p *recordPorts)) *vgen.Module {
	m := vgen.NewModule(name, "A record from port to port")
	wire(m, vgen.Ports[recordPorts](m, vgen.Widths{"none": none}))
	return m
}

func connected(m *vgen.Module, p *recordPorts) { vgen.Connect(m, &p.Out, &p.In) }

func TestBundlesKeepTheirFields(t *testing.T) {
	for name, wire := range map[string]func(m *vgen.Module, p *recordPorts){
		"connected": connected,
		"packed": func(m *vgen.Module, p *recordPorts) {
			word := vgen.Pack(&p.In)
			assert.Equal(t, 2+8+8+4+5, word.Width())
			out := vgen.Unpack(&p.In, m.Delay("word", word, 1))
			vgen.Connect(m, &p.Out, out)
			assert.Equal(t, "s_byte0", p.In.Byte[0].Name(), "what is unpacked shares no slice with its model")
		},
		"forwarded": func(m *vgen.Module, p *recordPorts) {
			inner := vgen.Instantiate[recordPorts](m, "u_inner", through("inner", 0, connected))
			vgen.Forward(m, p, inner)
		},
	} {
		t.Run(name, func(t *testing.T) {
			sim, err := vgen.NewSim(through("outer", 0, wire))
			require.NoError(t, err)
			fields := []string{"kind", "byte0", "byte1", "time_from", "time_to"}
			values := []uint64{2, 0xa1, 0x5e, 9, 0x13}
			for i, f := range fields {
				sim.Set("s_"+f, values[i])
			}
			sim.Step()
			for i, f := range fields {
				assert.Equal(t, values[i], sim.Get("m_"+f), f)
			}
		})
	}
}

// The first field is on top of a packed word.
func TestPackOrder(t *testing.T) {
	m := vgen.NewModule("packs", "")
	p := vgen.Ports[record2](m, nil)
	m.Assign(p.Word, vgen.Pack(&p.In))
	sim, err := vgen.NewSim(m)
	require.NoError(t, err)
	sim.Set("from", 0xf)
	assert.Equal(t, uint64(0xf<<5), sim.Get("word"))
}

type record2 struct {
	In   span        `dir:"in"`
	Word vgen.Signal `port:"word" dir:"out" width:"9"`
}

func TestBundlesThatDiffer(t *testing.T) {
	m := through("outer", 0, func(m *vgen.Module, p *recordPorts) {
		inner := vgen.Instantiate[recordPorts](m, "u_inner", through("inner", 3, connected))
		vgen.Connect(m, &inner.In, &p.In)
		vgen.Forward(m, p, inner)
		vgen.Unpack(&p.In, vgen.Cat(p.In.Time.From, p.In.Byte[0]))
	})
	assert.Subset(t, messages(t, vgen.Check(m)), []string{
		"Connect: 5 signals to 6 (declare both with the same Widths)",
		"Forward: 12 ports through 10 (declare both with the same Widths)",
		"Slice: a word of 12 bits into parts of 27 together (Join signals of the same widths)",
	})
}
