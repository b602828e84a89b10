package engine

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// Ports is the port list of an engine. The fields named Law are the law's own ([Law]).
type Ports struct {
	Ack      vgen.Stream[event]        `stream:"s" dir:"in" doc:"acknowledgements"`
	Write    vgen.Stream[contextWrite] `stream:"cw" dir:"in" doc:"context writes"`
	Read     vgen.Stream[contextRead]  `stream:"cr" dir:"in" doc:"context reads"`
	Data     vgen.Stream[contextData]  `stream:"cd" dir:"out" doc:"answers to context reads"`
	Table    vgen.Stream[tableWrite]   `stream:"tw" dir:"in" doc:"table writes"`
	Result   vgen.Stream[result]       `stream:"m" dir:"out" doc:"decisions"`
	Count    any                       `port:"n_" dir:"out"`
	InitDone vgen.Signal               `port:"init_done" dir:"out" width:"1" doc:"initialisation is done: contexts and tables are cleared; low from reset on"`
}

// event is the payload of stream s.
type event struct {
	Flow       vgen.Signal `port:"flow" width:"flow" doc:"flow index"`
	Tag        vgen.Signal `port:"tag" width:"tag" doc:"goes to the decision unchanged"`
	Generation vgen.Signal `port:"generation" width:"generation" doc:"generation of the flow that the ACK belongs to"`
	Law        any
}

// contextWrite is the payload of stream cw.
type contextWrite struct {
	Flow       vgen.Signal `port:"flow" width:"flow" doc:"flow index"`
	Mask       vgen.Signal `port:"mask" width:"mask"`
	Law        any
	Generation vgen.Signal `port:"generation" width:"generation" doc:"generation that a start begins"`
}

// contextRead is the payload of stream cr.
type contextRead struct {
	Flow vgen.Signal `port:"flow" width:"flow" doc:"flow index"`
}

// contextData is the payload of stream cd.
type contextData struct {
	Flow vgen.Signal `port:"flow" width:"flow" doc:"flow index"`
	Law  any
}

// tableWrite is the payload of stream tw.
type tableWrite struct {
	Table vgen.Signal `port:"table" width:"table"`
	Index vgen.Signal `port:"index" width:"tindex"`
	Data  vgen.Signal `port:"data" width:"tdata" doc:"value, in the low bits"`
}

// result is the payload of stream m.
type result struct {
	Flow       vgen.Signal `port:"flow" width:"flow" doc:"flow index"`
	Generation vgen.Signal `port:"generation" width:"generation" doc:"generation of the ACK"`
	Tag        vgen.Signal `port:"tag" width:"tag" doc:"tag of the ACK"`
	Kind       vgen.Signal `port:"kind" width:"kind"`
	Status     vgen.Signal `port:"status" width:"status" doc:"unusual condition, 0 for none"`
	Law        any
}

// declare gives the engine's module its ports, those of the law in their places.
func declare(m *vgen.Module, f Frame, l *Law) *Ports {
	var like Ports
	like.Ack.Payload.Law, like.Write.Payload.Law, like.Data.Payload.Law = l.Event, l.Write, l.Context
	like.Result.Payload.Law, like.Count = l.Decision, l.Counters
	p := vgen.PortsLike(m, &like, l.widths(f))
	m.Describe(p.Write.Payload.Mask, "fields to write, from bit 0: "+l.maskNames())
	m.Describe(p.Table.Payload.Table, l.tableNames())
	if p.Table.Payload.Index.Exists() {
		m.Describe(p.Table.Payload.Index, l.IndexDoc)
	}
	m.Describe(p.Result.Payload.Kind, l.kinds())
	return p
}
