// Package replay runs recorded telemetry through an engine: one row of a trace in, one row of
// results out, on the golden model or on the generated design.
//
// A trace is a pair of files, NAME.trace.csv.gz (or NAME.trace.csv) with one row per ACK and
// NAME.flows.csv with the constants of each flow. Both are read strictly and completely before
// anything runs; an error names the file, the row and the column. The rows go through the engine in
// order, and the output file appears only when every row has its result.
//
// The tables and contexts that the trace needs are made from the flows file (see Plan): a rate code for
// each pair of link rate and unit multiplier, a profile for each set of flow parameters, and a context
// that starts with U = 1 and W = Wc = W_init.
//
// Every engine goes through the same plan and the same writer, so the output bytes depend only on
// the results.
package replay
