// Package source reads and writes the files of replays: traces, flows, captures and results.
//
// Files are streamed, not kept in memory: a File, compressed with gzip or not, can be read from its start any number of
// times, once to check it and once to use it. A Table is a CSV file, row by row. An Output appears as a whole when it
// is committed.
//
// Errors of the input are of type *Error: they name the file, the place in it and the correct form.
package source
