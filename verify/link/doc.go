// Package link is the host side of docs/board-link.md: it steps a design on a board over a serial line.
package link
