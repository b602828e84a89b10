package toolchain

import "syscall"

// endWithParent has the kernel kill the program when this process ends, even by a signal that it cannot catch.
func endWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
