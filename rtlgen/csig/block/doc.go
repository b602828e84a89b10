// Package block holds what the microarchitectures of csig_switch share: sizes and widths (Shape), the places of
// pipeline registers (Places), the signal types, the walk, csig_header, csig_compare, csig_editor, and the part of
// csig_registers that does not depend on how its registers are stored.
package block
