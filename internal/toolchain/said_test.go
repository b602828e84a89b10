package toolchain

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSaid(t *testing.T) {
	s := Said{Most: 2048}
	for range 2 {
		n, err := s.Write(make([]byte, 1024))
		assert.Equal(t, 1024, n)
		assert.NoError(t, err)
	}
	assert.NoError(t, s.Error())
	for range 3 {
		n, err := s.Write([]byte{1, 2})
		assert.Zero(t, n)
		assert.EqualError(t, err, "it says more than 2 KiB")
	}
	assert.Len(t, s.String(), 2048)
}
