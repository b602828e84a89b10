// Package vgen is a hardware description library: a generator written in Go builds
// modules; the library checks and simulates them and prints them as Verilog-2005.
//
// It depends on the standard library only and keeps no global state, so designs can
// be built in parallel; one module is built by one goroutine.
//
// # A module
//
//	m := vgen.NewModule("counter", "Counts the cycles in which en is 1")
//	en := m.Input("en", 1, "count")
//	count := m.Reg("count_q", 4, vgen.Reset(0), vgen.Control(), vgen.Enable(en))
//	m.Next(count, count.Add(vgen.Const(4, 1)))
//	m.Assign(m.Output("m_count", 4, "cycles so far, modulo 16"), count)
//
//	files, err := vgen.Emit(m, vgen.EmitOptions{})
//
// Modules with state have the ports clk and rst, which are not declared and are
// connected through the hierarchy automatically. Module.SetTiming states latency and
// initiation interval, which other modules read to align with this one.
//
// # Values
//
// A [Signal] has a fixed width in bits and no sign; operators that treat operands as
// two's complement end in S (LtS, MulS), or are Sra and Sext. Widths are strict:
// only Zext, Sext, Trunc and Slice extend or truncate.
//
//	operation                     width of the result     operands
//	Add Sub And Or Xor            w, modulo 2^w           both w
//	Mul MulS                      wa + wb                 any
//	Eq Ne Lt Le Gt Ge, ...S       1                       both w
//	Shl Shr Sra                   w                       constant distance
//	ShlBy ShrBy SraBy             w                       distance of any width
//	Slice Bit Top Cat Repeat      as requested
//	Zext Sext / Trunc             at least w / at most w
//	AnyBit AllBits Parity         1                       any
//	Mux Select                    w                       cases all w
//
// Named gives a value a name, and the RTL a wire of that name. Values without one are
// printed inside the expression that uses them. With several uses they are named after
// their destination (the input of "sum_q" is "sum_next"), or else after their consumer and
// operator ("sum_mux"): File.Made lists the latter. An edit elsewhere renames nothing.
//
// # State
//
// Reg with Next, or RegNext, is a register; Delay a shift register. Reset values are
// for control state: with the option Control a missing one is a problem. Memory has one
// write port and any number of read ports, registered (Read, ReadEn; a read during a write
// of the same word returns the old word) or combinational (ReadAsync). ROM is a table.
//
// # Pipelines
//
// Module.Stage states at which stage of a pipeline a value is available, and Module.StageDoc describes a stage. A
// module most of whose registers have a stage is printed in the order of the stages; registers that only pass a value
// on are printed apart, a run of them as one vector.
//
// # Ports as structs
//
// [Ports] declares the ports that a struct type describes in its tags, and
// [Instantiate] returns the same struct for an instance, seen from outside. A handshake
// is a [Stream], a bundle of valid, ready and payload. A width of 0 omits a port;
// Signal.Exists reports whether it is there.
//
// # Mistakes
//
// No call panics or returns an error. A mistake is recorded with its source line and the
// call returns a placeholder, so that building continues; [Check], and with it [Emit] and
// [NewSim], reports all of them together, as [Problems]. Module.Ignore marks signals that
// are unused on purpose.
//
// # Faults
//
// [Mutants] returns a copy of a design with deliberate mistakes, each a [Fault] at a named place, and an input that
// selects one: a check has to detect it.
//
// # Simulation
//
// A [Sim] runs a design in Go: two-state, every value computed once per cycle. Sim.Run
// takes a batch of cycles in the [Layout] that engines for the Verilog share.
// [NewVCD] and [NewWaves] record waveforms. A tap (Module.Tap) makes an internal value
// observable under its name in the golden model; ExposeTaps makes ports of taps, for hardware.
//
// In the interpreter registers and memories start at 0. In the RTL, registers without a
// reset value and memories start undefined; reset never touches them.
package vgen
