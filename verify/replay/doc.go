// Package replay runs recorded telemetry through an engine: one row of a trace in, one row of results out, on the
// golden model or on the generated design.
//
// A trace is a pair of files, NAME.trace.csv.gz (or NAME.trace.csv) with one row per ACK and NAME.flows.csv with the
// constants of each flow; docs/replay.md describes both, and their interpretation. The trace is read twice: strictly
// and completely before anything runs, where an error names the file, the line and the column, and once more, row by
// row, as the engine takes it. The output file appears only when every row has its result. Only a window of rows and
// results is kept in memory.
//
// The law defines a trace's format and the tables and contexts that it needs, by making a Plan of it. Columns is the
// format for a law without telemetry of its own. HPCC++'s traces are those of verify/law/hpcc.
//
// Every engine goes through the same plan and the same writer, so the output bytes depend only on the results.
package replay
