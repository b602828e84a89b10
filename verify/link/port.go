package link

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"go.bug.st/serial"
)

// OpenPort opens a serial port: 8N1, no handshake.
func OpenPort(name string, baud int) (Port, error) {
	p, err := serial.Open(name, &serial.Mode{BaudRate: baud, DataBits: 8, Parity: serial.NoParity,
		StopBits: serial.OneStopBit})
	if err == nil {
		return p, nil
	}
	hint := ""
	if errors.Is(err, fs.ErrNotExist) {
		hint = ports()
	}
	var e *serial.PortError
	if errors.As(err, &e) {
		switch e.Code() {
		case serial.PortNotFound:
			hint = ports()
		case serial.InvalidSerialPort:
			hint = "; it is no serial port" + ports()
		case serial.PermissionDenied:
			hint = "; on Debian, ports belong to the group dialout: usermod -a -G dialout USER"
		case serial.PortBusy:
			hint = "; another program has it open"
		case serial.InvalidSpeed:
			hint = fmt.Sprintf("; the port cannot do %d bit/s", baud)
		}
	}
	return nil, fmt.Errorf("serial port %s: %w%s", name, err, hint)
}

// ports lists the ports that there are, for a message.
func ports() string {
	list, err := serial.GetPortsList()
	if err != nil || len(list) == 0 {
		return "; there are no serial ports"
	}
	return "; there are " + strings.Join(list, ", ")
}
