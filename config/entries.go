package config

import "fmt"

// Entry is what a package brings to one type of design: a function of it. It reports whether the design is of its type.
type Entry[R any] func(Design) (r R, mine bool, err error)

// EntryOf makes an entry of a function of a type of design, such as *NIC.
func EntryOf[T Design, R any](f func(T) (R, error)) Entry[R] {
	return func(d Design) (r R, mine bool, err error) {
		own, mine := d.(T)
		if mine {
			r, err = f(own)
		}
		return r, mine, err
	}
}

// Entries is a registry: what a package brings to every type of design that it can work with, in place of a switch over
// types. Each kind of design and each law is a type of its own, so that a new one is one more entry.
type Entries[R any] []Entry[R]

// Of calls the entry for a design. Without one it is an error that the package lacks what, such as "generator".
func (e Entries[R]) Of(d Design, what string) (R, error) {
	for _, entry := range e {
		if r, mine, err := entry(d); mine {
			return r, err
		}
	}
	var none R
	return none, fmt.Errorf("there is no %s for designs of kind %s", what, d.DesignKind())
}
