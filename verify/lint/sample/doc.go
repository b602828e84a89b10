// Package sample makes configurations for checks that go over many of them: a grid that holds every
// pair of choices, and seeded random files. What comes out is YAML, so that the whole way from the file
// to the design is exercised, and so that a failure can be repeated from the printed file.
package sample
