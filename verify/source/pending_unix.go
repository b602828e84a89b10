//go:build unix

package source

import "github.com/google/renameio/v2"

func newPendingFile(path string) (pendingFile, error) {
	return renameio.NewPendingFile(path, renameio.WithPermissions(0o644), renameio.WithExistingPermissions())
}
