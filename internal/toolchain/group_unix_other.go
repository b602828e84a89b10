//go:build unix && !linux

package toolchain

import "syscall"

func endWithParent(*syscall.SysProcAttr) {}
