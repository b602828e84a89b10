package config

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestEntries(t *testing.T) {
	e := Entries[int]{
		EntryOf(func(c *NIC) (int, error) { return c.Flows, nil }),
		EntryOf(func(c *CSIG) (int, error) { return c.Ports, errors.New("too many") }),
	}
	n, err := e.Of(&NIC{Engine: Engine{Flows: 5}}, "counter")
	assert.Equal(t, 5, n)
	assert.NoError(t, err)
	n, err = e.Of(&CSIG{Ports: 3}, "counter")
	assert.Equal(t, 3, n)
	assert.EqualError(t, err, "too many")
	_, err = e.Of(&INT{}, "counter")
	assert.EqualError(t, err, "there is no counter for designs of kind int")
}
