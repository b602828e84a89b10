// Package filelock holds processes apart by locks on open files and folders. A lock ends with the process that holds
// it, however that ends, and leaves no file behind.
package filelock
