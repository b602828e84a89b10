// Package filelock provides mutual exclusion between processes by locks on open files and folders. A lock ends with its
// process, however that ends, and leaves no file.
package filelock
