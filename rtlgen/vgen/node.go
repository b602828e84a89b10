package vgen

import (
	"fmt"
	"math/big"
)

// opcode is the operation of a node.
type opcode uint8

const (
	opAbsent opcode = iota // a port of width 0
	opConst
	opInput   // input port
	opReg     // register output
	opMemRead // registered memory read
	opRomRead // registered ROM read
	opInstOut // output of an instance
	opWire    // output port, forward wire, instance input: one driver, args[0]
	opBuf     // a second name of args[0]
	opMemAsync
	opRomAsync
	opAdd
	opSub
	opMul
	opMulS
	opAnd
	opOr
	opXor
	opNot
	opEq
	opNe
	opLt
	opLe
	opGt
	opGe
	opLtS
	opLeS
	opGtS
	opGeS
	opShl
	opShr
	opSra
	opShlBy
	opShrBy
	opSraBy
	opSlice
	opCat
	opRepeat
	opZext
	opSext
	opAny
	opAll
	opParity
	opMux
	opSelect
	opCount
)

// precedence of the Verilog form, strongest first. Reductions are put last so that
// they always get parentheses inside another expression: "a & (&b)".
const (
	precPrimary = 100
	precCall    = 95 // $unsigned(...)
	precUnary   = 90
	precMul     = 80
	precAdd     = 70
	precShift   = 60
	precRel     = 50
	precEq      = 40
	precAnd     = 30
	precXor     = 25
	precOr      = 20
	precCond    = 10
	precReduce  = 5
)

// opInfo is the one table of operators: how an operator is called in the API and
// in messages, the ending of an automatic name, and its Verilog form.
type opInfo struct {
	method string
	role   string
	symbol string
	prec   int
	signed bool
}

var opTable = [opCount]opInfo{
	opAbsent:   {method: "absent port"},
	opConst:    {method: "Const"},
	opInput:    {method: "Input"},
	opReg:      {method: "Reg"},
	opMemRead:  {method: "Read"},
	opRomRead:  {method: "Read"},
	opInstOut:  {method: "instance output"},
	opWire:     {method: "Wire"},
	opBuf:      {method: "Named"},
	opMemAsync: {method: "ReadAsync", role: "word"},
	opRomAsync: {method: "ReadAsync", role: "entry"},
	opAdd:      {method: "Add", role: "sum", symbol: "+", prec: precAdd},
	opSub:      {method: "Sub", role: "diff", symbol: "-", prec: precAdd},
	opMul:      {method: "Mul", role: "prod", symbol: "*", prec: precMul},
	opMulS:     {method: "MulS", role: "prod", symbol: "*", prec: precMul, signed: true},
	opAnd:      {method: "And", role: "and", symbol: "&", prec: precAnd},
	opOr:       {method: "Or", role: "or", symbol: "|", prec: precOr},
	opXor:      {method: "Xor", role: "xor", symbol: "^", prec: precXor},
	opNot:      {method: "Not", role: "inv", symbol: "~", prec: precUnary},
	opEq:       {method: "Eq", role: "eq", symbol: "==", prec: precEq},
	opNe:       {method: "Ne", role: "ne", symbol: "!=", prec: precEq},
	opLt:       {method: "Lt", role: "lt", symbol: "<", prec: precRel},
	opLe:       {method: "Le", role: "le", symbol: "<=", prec: precRel},
	opGt:       {method: "Gt", role: "gt", symbol: ">", prec: precRel},
	opGe:       {method: "Ge", role: "ge", symbol: ">=", prec: precRel},
	opLtS:      {method: "LtS", role: "lt", symbol: "<", prec: precRel, signed: true},
	opLeS:      {method: "LeS", role: "le", symbol: "<=", prec: precRel, signed: true},
	opGtS:      {method: "GtS", role: "gt", symbol: ">", prec: precRel, signed: true},
	opGeS:      {method: "GeS", role: "ge", symbol: ">=", prec: precRel, signed: true},
	opShl:      {method: "Shl", role: "shl", symbol: "<<", prec: precShift},
	opShr:      {method: "Shr", role: "shr", symbol: ">>", prec: precShift},
	opSra:      {method: "Sra", role: "sra", symbol: ">>>", prec: precCall, signed: true},
	opShlBy:    {method: "ShlBy", role: "shl", symbol: "<<", prec: precShift},
	opShrBy:    {method: "ShrBy", role: "shr", symbol: ">>", prec: precShift},
	opSraBy:    {method: "SraBy", role: "sra", symbol: ">>>", prec: precCall, signed: true},
	opSlice:    {method: "Slice", role: "bits", prec: precPrimary},
	opCat:      {method: "Cat", role: "cat", prec: precPrimary},
	opRepeat:   {method: "Repeat", role: "rep", prec: precPrimary},
	opZext:     {method: "Zext", role: "ext", prec: precPrimary},
	opSext:     {method: "Sext", role: "ext", prec: precPrimary},
	opAny:      {method: "AnyBit", role: "any", symbol: "|", prec: precReduce},
	opAll:      {method: "AllBits", role: "all", symbol: "&", prec: precReduce},
	opParity:   {method: "Parity", role: "parity", symbol: "^", prec: precReduce},
	opMux:      {method: "Mux", role: "mux", symbol: "?:", prec: precCond},
	opSelect:   {method: "Select", role: "sel"},
}

// place is where in the printed module something belongs: the order in which the
// generator got to it, and the section it was in.
type place struct{ seq, section int }

// node is one value of a design. Constants belong to no module; everything else
// belongs to exactly one.
type node struct {
	op     opcode
	width  int
	size   Size // of the width, in a module with parameters
	at     place
	p0, p1 int // Slice: hi, lo. Shl, Shr, Sra, Repeat: n
	args   []*node
	mod    *Module
	name   string // given by the user, or by the declaration
	val    *big.Int
	text   string // of a constant that is a size, "" elsewhere
	site   callSite
	stage  int // of the item that it speaks of, where staged is set
	staged bool

	reg  *register // opReg
	read *readPort // opMemRead, opRomRead, opMemAsync, opRomAsync
	inst *Instance // opInstOut, and opWire when it is an instance input
	port *port     // opInput, opWire when it is an output; the child's port for inst

	// problems of a node without a module; the first module to use it takes them over
	floating []Problem
}

// comb reports whether the value depends on args in the same cycle.
func (n *node) comb() bool { return n.op >= opWire }

// fixed is the value of a constant, with or without a name, and nil otherwise.
func (n *node) fixed() *big.Int {
	for n.op == opBuf {
		n = n.args[0]
	}
	if n.op != opConst {
		return nil
	}
	return n.val
}

// describe names a node in messages.
func (n *node) describe() string {
	switch {
	case n == nil:
		return "a signal that was never set"
	case n.name != "":
		return fmt.Sprintf("%q", n.name)
	case n.inst != nil:
		return fmt.Sprintf("%q", n.inst.name+"."+n.port.name)
	case n.op == opConst:
		return "constant " + literal(n.width, n.val)
	default:
		return opTable[n.op].method + " result"
	}
}
