// Package block has what the microarchitectures of a csig_switch share: sizes and widths (Shape), where registers stand
// (Places), the types of signals, the walk, csig_header, csig_compare, csig_editor, and the part of csig_registers that
// does not depend on how its registers are stored.
package block
