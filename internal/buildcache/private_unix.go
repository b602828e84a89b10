//go:build unix

package buildcache

import (
	"fmt"
	"os"
	"syscall"
)

// checkPrivate refuses a directory in which others can put what this user would then run. One that is empty is closed
// to others.
func checkPrivate(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("the build cache: %w", err)
	}
	if owner, ok := info.Sys().(*syscall.Stat_t); ok && int(owner.Uid) != os.Geteuid() {
		return fmt.Errorf("the build cache %s belongs to another user (id %d), who could change the programs in it "+
			"that hpccgen runs; set %s to a directory of your own", dir, owner.Uid, dirEnv)
	}
	if info.Mode().Perm()&0o022 == 0 {
		return nil
	}
	empty := func() bool {
		list, err := os.ReadDir(dir)
		return err == nil && len(list) == 0
	}
	// Looked at again once it is closed: nobody has put anything there in between.
	if empty() && os.Chmod(dir, 0o700) == nil && empty() {
		return nil
	}
	return fmt.Errorf("others can write to the build cache %s (mode %04o), and hpccgen runs programs from it; "+
		"empty it and close it with: chmod 700 %[1]s; or set %[3]s to another directory", dir, info.Mode().Perm(), dirEnv)
}
