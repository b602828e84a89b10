// Package engine generates the frame that all congestion controls of a NIC share: from the events of flows, such as
// acknowledgements, to decisions. A [Law] supplies the arithmetic.
//
// The frame has the streams and their slices, the issue, which spaces operations of one flow, the memories of contexts,
// the output FIFO with its credits, the tables that software writes, the initialisation after reset, context reads and
// writes, generations, and counters. The law's data determine their layout: the fields of its event, context and
// decision, its tables, its statuses.
//
// There are two microarchitectures.
//
// [Pipelined] is one pipeline of fixed latency. Operations enter it in order and access each part of the state at the
// stage that uses it. The law builds its pipeline in a [Core], with the operation ([Op]) beside its values. Its context
// is in groups, each with a memory and a [Loop] from reading to writing: the longest loop is the distance of operations
// of one flow. Where the engine takes an operation a cycle, operations pass pipeline registers before their issue, and
// all memories and multipliers have registers around them.
//
// [Slotted] gives each operation an interval of cycles, divided into stages ([Slots]) in which the blocks work one
// after the other on shared hardware. Its memories ([SlotMemory]) are shared by everything that is not used in the same
// cycle.
//
// Modules of a law X: X_nic, the engine; X_issue; X_core; register slices, FIFO and payload memory, which have
// parameters.
package engine
