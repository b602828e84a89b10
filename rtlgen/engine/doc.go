// Package engine generates the frame that all congestion controls of a NIC share: from the events of flows, such
// as acknowledgements, to decisions. A [Law] brings the arithmetic.
//
// The frame has the streams and their slices, the issue, which keeps operations of one flow apart, the memories of
// contexts, the output FIFO with its credits, the tables that software writes, the sweep after reset, context reads
// and writes, generations, and counters. Their shape follows from the law: the fields of
// its event, context and decision, its tables, its statuses.
//
// There are two microarchitectures.
//
// [Pipelined] is one pipeline of fixed latency that operations enter in order and in which they meet the state they
// use at the stage where they use it. The law builds its pipeline in a [Core], with the operation ([Op]) beside its
// values. It has its context in groups, each with a memory and a [Loop] from reading to writing: the longest is the
// distance of operations of one flow. With an operation a cycle, they pass a front of registers before their issue,
// and all memories and multipliers have registers around them.
//
// [Slotted] gives each operation an interval of cycles, and stages in it ([Slots]) in which one block after the other
// does its part with the hardware of one. Its memories ([SlotMemory]) are shared by all that are not used in the same
// cycle.
//
// Modules of a law X: X_nic, the engine; X_issue; X_core; register slices, FIFO and payload memory, which have
// parameters.
package engine
