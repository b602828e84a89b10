package main

import (
	"bytes"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// screen collects what a progress display writes.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func TestProgressShown(t *testing.T) {
	var s screen
	p := watch(&s, "cycles", 0)
	p.say("compiling")
	assert.Eventually(t, func() bool { return bytes.Contains([]byte(s.String()), []byte("compiling")) }, 5*time.Second,
		20*time.Millisecond)
	p.update(0, 1000)
	time.Sleep(150 * time.Millisecond)
	p.update(500, 1000)
	assert.Contains(t, s.String(), "cycles")
	assert.Contains(t, s.String(), "50%")
	p.close()
	p.close()
	length := len(s.String())
	p.update(900, 1000)
	p.say("more")
	assert.Len(t, s.String(), length, "nothing after close")
}

func TestProgressQuiet(t *testing.T) {
	var s screen
	p := watch(&s, "rows", time.Hour)
	p.say("compiling")
	p.update(1, 2)
	time.Sleep(150 * time.Millisecond)
	p.close()
	assert.Empty(t, s.String(), "short commands show nothing")

	var b bytes.Buffer
	p = newProgress(io.Writer(&b), "rows")
	p.quiet = time.Time{}
	p.update(1, 2)
	p.close()
	assert.Empty(t, b.String(), "what is no terminal stays quiet")
}
