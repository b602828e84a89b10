package boardsim

// Sender turns bytes into the levels of a serial line, a level a cycle.
type Sender struct {
	Divisor int    // cycles a bit
	Bytes   []byte // still to send
	bits    uint   // still to go of the current byte, the lowest next, a leading 1 above them
	left    int    // cycles of the current bit
}

// Idle reports whether there is nothing to send.
func (s *Sender) Idle() bool { return len(s.Bytes) == 0 && s.bits <= 1 && s.left == 0 }

// Level is the line in the next cycle.
func (s *Sender) Level() uint64 {
	if s.left == 0 {
		if s.bits <= 1 {
			if len(s.Bytes) == 0 {
				return 1
			}
			s.bits = 3<<9 | uint(s.Bytes[0])<<1 // stop, 8 bits, start
			s.Bytes = s.Bytes[1:]
		} else {
			s.bits >>= 1
			if s.bits == 1 {
				return s.Level()
			}
		}
		s.left = s.Divisor
	}
	s.left--
	return uint64(s.bits & 1)
}

// Listener turns the levels of a serial line into bytes.
type Listener struct {
	Divisor int    // cycles a bit
	Bytes   []byte // received
	Broken  int    // bytes without a stop bit
	bit     int    // 0: idle, 1: start bit, 2 to 9: data, 10: stop
	wait    int    // cycles until the next sample
	value   byte
}

// Sample processes the level of a cycle.
func (l *Listener) Sample(level uint64) {
	if l.bit == 0 {
		if level == 0 {
			l.bit, l.wait = 1, l.Divisor/2
		}
		return
	}
	if l.wait--; l.wait > 0 {
		return
	}
	l.wait = l.Divisor
	switch {
	case l.bit == 1:
		if level == 1 {
			l.bit = 0
			return
		}
	case l.bit < 10:
		l.value = l.value>>1 | byte(level)<<7
	default:
		if level == 1 {
			l.Bytes = append(l.Bytes, l.value)
		} else {
			l.Broken++
		}
		l.bit = 0
		return
	}
	l.bit++
}
