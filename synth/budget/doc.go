// Package budget holds designs to the cells and frequencies that they had: a file of figures by preset, part and
// module, and what a design of today does to them.
package budget
