package main

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/jstemmer/go-junit-report/v2/junit"
)

// junitFlag is that of the commands whose outcome a CI server shows as a test.
type junitFlag struct {
	JUnit string `name:"junit" placeholder:"FILE" help:"Outcome as a test, for CI servers (JUnit XML)."`
}

// record runs a command and writes its outcome: passed, failed, which is a mismatch, or an error. What the command
// printed goes along.
func (f junitFlag) record(s streams, command, name string, work func(streams) error) error {
	if f.JUnit == "" {
		return work(s)
	}
	var said bytes.Buffer
	tee := s
	tee.out = io.MultiWriter(s.out, &said)
	begin := time.Now()
	err := work(tee)
	took := junit.Testcase{Name: name, Classname: "hpccgen." + command, Time: seconds(time.Since(begin)),
		SystemOut: &junit.Output{Data: said.String()}}
	switch {
	case errors.Is(err, errMismatch):
		took.Failure = &junit.Result{Message: firstMismatch(said.String()), Type: "mismatch", Data: said.String()}
	case err != nil:
		took.Error = &junit.Result{Message: err.Error(), Type: "error", Data: err.Error()}
	}
	suite := junit.Testsuite{Name: "hpccgen " + command, Time: took.Time}
	suite.SetTimestamp(begin.UTC())
	suite.AddTestcase(took)
	var suites junit.Testsuites
	suites.AddSuite(suite)
	var text bytes.Buffer
	if failure := suites.WriteXML(&text); failure != nil {
		return errors.Join(err, bug{failure})
	}
	if outputFile("--junit", f.JUnit) != nil {
		return err // which says so
	}
	return errors.Join(err, writeFile(s, f.JUnit, text.Bytes()))
}

// firstMismatch is the line of a report that says what differs.
func firstMismatch(report string) string {
	for line := range strings.Lines(report) {
		if text, found := strings.CutPrefix(line, "first mismatch: "); found {
			return strings.TrimSpace(text)
		}
	}
	return "mismatch"
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 3, 64) }
