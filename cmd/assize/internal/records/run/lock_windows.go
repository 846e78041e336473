package run

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// Lock locks the file for this process until it is closed or the process ends for any reason. It
// locks a byte far beyond the end of any run, because others could not read a locked part.
func Lock(f *os.File) error {
	at := windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(f.Fd()),
		windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrBusy
	}
	return err
}
