// Package sample damages configuration files, to test how a reader handles bad ones.
package sample
