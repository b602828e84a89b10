// Package sample damages configuration files, for checks of what a reader does with bad ones.
package sample
