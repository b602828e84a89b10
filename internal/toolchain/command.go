package toolchain

import (
	"context"
	"errors"
	"os/exec"
	"time"
)

// grace is how long a program that has ended, or was killed, may leave its output open to programs that it has started.
const grace = 2 * time.Second

// lifetime ends with Stop.
var lifetime, endLifetime = context.WithCancel(context.Background())

// Lifetime is the context of programs that run until Stop.
func Lifetime() context.Context { return lifetime }

// Stop kills the programs that run in the context Lifetime, and prevents others from starting.
func Stop() { endLifetime() }

// Command prepares a program that is killed with the context, together with all processes that it starts. They are in a
// process group of their own, so that a terminal's signal reaches only this process, which then kills them. On Linux
// they also end when this process does.
func Command(ctx context.Context, path string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, path, args...)
	ownGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd) }
	cmd.WaitDelay = grace
	return cmd
}

// Run runs a command. Processes that it leaves running with its output open are killed. The error is the context's if
// the context ended the command.
func Run(ctx context.Context, cmd *exec.Cmd) error {
	err := cmd.Run()
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, exec.ErrWaitDelay) {
		_ = killGroup(cmd)
		return nil // the program itself has ended well
	}
	return err
}
