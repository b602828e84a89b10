package vgen

import (
	"fmt"
	"math/big"
)

// opcode names what a node computes.
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
// in messages, how many operands it takes (-1: any number), the ending of an
// automatic name, and its Verilog form.
type opInfo struct {
	method string
	arity  int
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
	opWire:     {method: "Wire", arity: 1},
	opBuf:      {method: "Named", arity: 1},
	opMemAsync: {method: "ReadAsync", arity: 1, role: "word"},
	opRomAsync: {method: "ReadAsync", arity: 1, role: "entry"},
	opAdd:      {method: "Add", arity: 2, role: "sum", symbol: "+", prec: precAdd},
	opSub:      {method: "Sub", arity: 2, role: "diff", symbol: "-", prec: precAdd},
	opMul:      {method: "Mul", arity: 2, role: "prod", symbol: "*", prec: precMul},
	opMulS:     {method: "MulS", arity: 2, role: "prod", symbol: "*", prec: precMul, signed: true},
	opAnd:      {method: "And", arity: 2, role: "and", symbol: "&", prec: precAnd},
	opOr:       {method: "Or", arity: 2, role: "or", symbol: "|", prec: precOr},
	opXor:      {method: "Xor", arity: 2, role: "xor", symbol: "^", prec: precXor},
	opNot:      {method: "Not", arity: 1, role: "inv", symbol: "~", prec: precUnary},
	opEq:       {method: "Eq", arity: 2, role: "eq", symbol: "==", prec: precEq},
	opNe:       {method: "Ne", arity: 2, role: "ne", symbol: "!=", prec: precEq},
	opLt:       {method: "Lt", arity: 2, role: "lt", symbol: "<", prec: precRel},
	opLe:       {method: "Le", arity: 2, role: "le", symbol: "<=", prec: precRel},
	opGt:       {method: "Gt", arity: 2, role: "gt", symbol: ">", prec: precRel},
	opGe:       {method: "Ge", arity: 2, role: "ge", symbol: ">=", prec: precRel},
	opLtS:      {method: "LtS", arity: 2, role: "lt", symbol: "<", prec: precRel, signed: true},
	opLeS:      {method: "LeS", arity: 2, role: "le", symbol: "<=", prec: precRel, signed: true},
	opGtS:      {method: "GtS", arity: 2, role: "gt", symbol: ">", prec: precRel, signed: true},
	opGeS:      {method: "GeS", arity: 2, role: "ge", symbol: ">=", prec: precRel, signed: true},
	opShl:      {method: "Shl", arity: 1, role: "shl", symbol: "<<", prec: precShift},
	opShr:      {method: "Shr", arity: 1, role: "shr", symbol: ">>", prec: precShift},
	opSra:      {method: "Sra", arity: 1, role: "sra", symbol: ">>>", prec: precCall, signed: true},
	opShlBy:    {method: "ShlBy", arity: 2, role: "shl", symbol: "<<", prec: precShift},
	opShrBy:    {method: "ShrBy", arity: 2, role: "shr", symbol: ">>", prec: precShift},
	opSraBy:    {method: "SraBy", arity: 2, role: "sra", symbol: ">>>", prec: precCall, signed: true},
	opSlice:    {method: "Slice", arity: 1, role: "bits", prec: precPrimary},
	opCat:      {method: "Cat", arity: -1, role: "cat", prec: precPrimary},
	opRepeat:   {method: "Repeat", arity: 1, role: "rep", prec: precPrimary},
	opZext:     {method: "Zext", arity: 1, role: "ext", prec: precPrimary},
	opSext:     {method: "Sext", arity: 1, role: "ext", prec: precPrimary},
	opAny:      {method: "AnyBit", arity: 1, role: "any", symbol: "|", prec: precReduce},
	opAll:      {method: "AllBits", arity: 1, role: "all", symbol: "&", prec: precReduce},
	opParity:   {method: "Parity", arity: 1, role: "parity", symbol: "^", prec: precReduce},
	opMux:      {method: "Mux", arity: 3, role: "mux", symbol: "?:", prec: precCond},
	opSelect:   {method: "Select", arity: -1, role: "sel"},
}

// place is where in the printed module something belongs: the order in which the
// generator got to it, and the section it was in.
type place struct{ seq, section int }

// node is one value of a design. Constants belong to no module; everything else
// belongs to exactly one.
type node struct {
	op     opcode
	width  int
	at     place
	p0, p1 int // Slice: hi, lo. Shl, Shr, Sra, Repeat: n
	args   []*node
	mod    *Module
	name   string // given by the user, or by the declaration
	val    *big.Int
	site   callSite

	reg  *register // opReg
	read *readPort // opMemRead, opRomRead, opMemAsync, opRomAsync
	inst *Instance // opInstOut, and opWire when it is an instance input
	port *port     // opInput, opWire when it is an output; the child's port for inst

	// problems of a node without a module; the first module to use it takes them over
	floating []Problem
}

// comb says whether the value depends on args in the same cycle.
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
