// Package source reads and writes the files of replays: traces, flows, captures and what comes of them.
//
// A file is never held in memory as a whole: a File can be read from its start as often as is needed,
// once to check it and once to use it, packed with gzip or not. A Table is a CSV file, row by row. An Output appears
// as a whole when it is committed.
//
// Errors of the input are of type *Error: they name the file, the place in it and what would be right.
package source
