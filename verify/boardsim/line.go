package boardsim

// sender turns bytes into the levels of a serial line, a level a cycle.
type sender struct {
	divisor int // cycles a bit
	bytes   []byte
	bits    uint // still to go of the current byte, the lowest next, a leading 1 above them
	left    int  // cycles of the current bit
}

// idle says that there is nothing to send.
func (s *sender) idle() bool { return len(s.bytes) == 0 && s.bits <= 1 && s.left == 0 }

// level is the line in the next cycle.
func (s *sender) level() uint64 {
	if s.left == 0 {
		if s.bits <= 1 {
			if len(s.bytes) == 0 {
				return 1
			}
			s.bits = 3<<9 | uint(s.bytes[0])<<1 // stop, 8 bits, start
			s.bytes = s.bytes[1:]
		} else {
			s.bits >>= 1
			if s.bits == 1 {
				return s.level()
			}
		}
		s.left = s.divisor
	}
	s.left--
	return uint64(s.bits & 1)
}

// listener turns the levels of a serial line into bytes.
type listener struct {
	divisor int
	bytes   []byte
	bit     int // 0: idle, 1: start bit, 2 to 9: data, 10: stop
	wait    int // cycles until the next sample
	value   byte
	broken  int // bytes without a stop bit
}

// sample takes the level of a cycle.
func (l *listener) sample(level uint64) {
	if l.bit == 0 {
		if level == 0 {
			l.bit, l.wait = 1, l.divisor/2
		}
		return
	}
	if l.wait--; l.wait > 0 {
		return
	}
	l.wait = l.divisor
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
			l.bytes = append(l.bytes, l.value)
		} else {
			l.broken++
		}
		l.bit = 0
		return
	}
	l.bit++
}
