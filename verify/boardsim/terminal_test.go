package boardsim

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// talker is a board that never stops sending.
type talker struct{ line Sender }

func (t *talker) Name() string         { return "talker" }
func (t *talker) Layout() *vgen.Layout { return nil }
func (t *talker) Close() error         { return nil }

func (t *talker) Run(cycles int, _, out []uint64) error {
	for c := range cycles {
		if t.line.Idle() {
			t.line.Bytes = append(t.line.Bytes, 0x55)
		}
		out[2*c], out[2*c+1] = t.line.Level(), 1
	}
	return nil
}

// A board ends while its host does not read: no host has opened the port, one reads nothing, one has closed it.
func TestEndWhileTheHostDoesNotRead(t *testing.T) {
	for name, host := range map[string]func(port string){
		"no host": func(string) {},
		"a host that does not read": func(port string) {
			f, err := os.OpenFile(port, os.O_RDWR, 0)
			require.NoError(t, err)
			t.Cleanup(func() { _ = f.Close() })
		},
		"a host that has gone": func(port string) {
			f, err := os.OpenFile(port, os.O_RDWR, 0)
			require.NoError(t, err)
			_, err = f.Write(make([]byte, 100))
			require.NoError(t, err)
			require.NoError(t, f.Close())
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := &Board{eng: &talker{Sender{Divisor: 4}}, to: Sender{Divisor: 4}, from: Listener{Divisor: 4},
				in: make([]uint64, chunk), out: make([]uint64, 2*chunk), lit: 1, active: true}
			term, err := Serve(b)
			require.NoError(t, err)
			host(term.Name)
			time.Sleep(200 * time.Millisecond) // its buffer is full by then
			done := make(chan error, 1)
			go func() { done <- term.Close() }()
			select {
			case err := <-done:
				require.NoError(t, err)
			case <-time.After(3 * time.Second):
				t.Fatal("it does not end")
			}
		})
	}
}
