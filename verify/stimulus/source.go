package stimulus

import "github.com/hdlpkg/hpccgen/model/engine"

// Source gives the inputs of one cycle after the other. Next sets every field of in that has a meaning; Seen reports
// what the engine answered in the same cycle, so that a stream can advance.
type Source[E, W any] interface {
	Next(in *engine.Inputs[E, W])
	Seen(in *engine.Inputs[E, W], out Answer)
}

// Answer is the handshakes of an engine in one cycle: ready of the streams that it takes, valid of those that it gives.
type Answer struct{ S, CW, CR, TW, M, CD bool }

// AnswerOf is the answer in an engine's outputs.
func AnswerOf[D, R any](out *engine.Outputs[D, R]) Answer {
	return Answer{out.SReady, out.CWReady, out.CRReady, out.TWReady, out.M.Valid, out.CD.Valid}
}
