package config

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEndlessFile loads a device without an end: no more is read of it than a configuration may have.
func TestEndlessFile(t *testing.T) {
	_, err := LoadDesign("/dev/zero")
	var problems Problems
	require.ErrorAs(t, err, &problems)
	assert.Equal(t,
		"/dev/zero: the file has more than 131072 bytes; legal: up to 131072 bytes; reason: a configuration describes one design", err.Error())
}
