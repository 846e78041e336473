//go:build !windows

package run

import (
	"errors"
	"os"
	"syscall"
)

// lock takes the file for this process, until it is closed or the process ends, however that comes about. Where the
// file system knows no locks, there is none.
func lock(f *os.File) error {
	switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return ErrBusy
	case errors.Is(err, errors.ErrUnsupported):
		return nil
	default:
		return err
	}
}
