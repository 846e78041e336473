//go:build !windows

package run

import (
	"errors"
	"os"
	"syscall"
)

// Lock locks the file for this process until it is closed or the process ends for any reason. If
// the file system does not support locks, it does nothing.
func Lock(f *os.File) error {
	switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return ErrBusy
	case errors.Is(err, errors.ErrUnsupported):
		return nil
	default:
		return err
	}
}
