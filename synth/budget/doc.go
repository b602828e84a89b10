// Package budget compares the cells and frequencies of designs with their budgets: a file of figures by preset, part
// and module.
package budget
