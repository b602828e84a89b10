package csig

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/telemetry"
)

// Reflection is the report of a receiver to the sender (draft section 4.2).
type Reflection struct {
	Valid  bool // a tag was received
	Size   telemetry.CSIGSize
	Fields telemetry.CSIG
}

// Flags of the payload field. The draft names the Valid bit (section 4.2.2), but gives it no position.
const (
	flagValid    = 1
	flagExpanded = 2
)

// AppendField appends the reflection as a field of a transport's payload (Figure 4): a byte of flags, then the data
// fields, zero when invalid.
//
//	bit  width    field
//	0    6        0
//	6    1        1: expanded, six bytes of data fields; 0: compact, two
//	7    1        Valid
//	8    16 or 48 data fields
func (r *Reflection) AppendField(b []byte, split telemetry.CSIGSplit) ([]byte, error) {
	if !r.Valid {
		return append(b, 0, 0, 0), nil
	}
	flags := byte(flagValid)
	if r.Size == telemetry.CSIGExpanded {
		flags |= flagExpanded
	}
	out, err := r.Fields.Append(append(b, flags), r.Size, split)
	if err != nil {
		return b, err
	}
	return out, nil
}

// DecodeField reads a payload field from the start of b and returns its size. Unknown flags are ignored.
func (r *Reflection) DecodeField(b []byte, split telemetry.CSIGSplit) (int, error) {
	*r = Reflection{}
	if len(b) == 0 {
		return 0, &telemetry.Error{Format: "CSIG reflection field", What: "the data end here, the flags take 1 byte"}
	}
	if b[0]&flagExpanded != 0 {
		r.Size = telemetry.CSIGExpanded
	}
	n := 1 + r.Size.FieldsLen()
	if len(b) < n {
		return 0, &telemetry.Error{Format: "CSIG reflection field", Byte: len(b),
			What: fmt.Sprintf("the data end here, the field takes %d bytes", n)}
	}
	if b[0]&flagValid == 0 {
		r.Size = telemetry.CSIGCompact
		return n, nil
	}
	r.Valid = true
	_, err := r.Fields.Decode(b[1:], r.Size, split)
	return n, err
}

// TCPOption is the TCP option that carries a reflection (Figure 3). Its Kind is not assigned. Kinds 253 and 254 are for
// experiments and need an ExID (RFC 6994).
//
//	byte  size    field
//	0     1       Kind
//	1     1       Length: of the whole option, as TCP has it
//	2     0 or 2  ExID
//	2, 4  2 or 6  data fields
type TCPOption struct {
	Kind  uint8
	ExID  uint16 // with kinds 253 and 254
	Split telemetry.CSIGSplit
}

func (o *TCPOption) experimental() bool { return o.Kind >= 253 }

func (o *TCPOption) header() int {
	if o.experimental() {
		return 4
	}
	return 2
}

// Check reports a kind that cannot be used.
func (o *TCPOption) Check() error {
	if o.Kind < 2 || o.Kind == 255 {
		return fmt.Errorf("csig reflection: TCP option kind %d, legal are 2 to 254", o.Kind)
	}
	if o.experimental() != (o.ExID != 0) {
		return fmt.Errorf(
			"csig reflection: TCP option kind %d with ExID %#04x: kinds 253 and 254 need one, others have none", o.Kind, o.ExID)
	}
	return nil
}

// Append appends the option. An invalid reflection appends nothing: no option says the same.
func (o *TCPOption) Append(b []byte, r Reflection) ([]byte, error) {
	if err := o.Check(); err != nil || !r.Valid {
		return b, err
	}
	out := append(b, o.Kind, byte(o.header()+r.Size.FieldsLen()))
	if o.experimental() {
		out = append(out, byte(o.ExID>>8), byte(o.ExID))
	}
	out, err := r.Fields.Append(out, r.Size, o.Split)
	if err != nil {
		return b, err
	}
	return out, nil
}

// Find looks for the option among the options of a TCP header. Without one the reflection is invalid.
func (o *TCPOption) Find(options []byte) (Reflection, error) {
	var r Reflection
	for at := 0; at < len(options); {
		switch options[at] {
		case 0: // end of the list
			return r, nil
		case 1: // no operation
			at++
			continue
		}
		if at+1 >= len(options) || options[at+1] < 2 || at+int(options[at+1]) > len(options) {
			return r, &telemetry.Error{Format: "TCP options", Byte: at,
				What: fmt.Sprintf("option of kind %d has no legal length", options[at])}
		}
		opt := options[at : at+int(options[at+1])]
		if o.matches(opt) {
			return o.decode(opt, at)
		}
		at += len(opt)
	}
	return r, nil
}

func (o *TCPOption) matches(opt []byte) bool {
	if opt[0] != o.Kind {
		return false
	}
	return !o.experimental() || len(opt) >= 4 && opt[2] == byte(o.ExID>>8) && opt[3] == byte(o.ExID)
}

func (o *TCPOption) decode(opt []byte, at int) (Reflection, error) {
	r := Reflection{Valid: true}
	body := opt[o.header():]
	switch len(body) {
	case telemetry.CSIGCompact.FieldsLen():
	case telemetry.CSIGExpanded.FieldsLen():
		r.Size = telemetry.CSIGExpanded
	default:
		return Reflection{}, &telemetry.Error{Format: "CSIG reflection option", Byte: at + 1,
			What: fmt.Sprintf("length %d, want %d or %d", len(opt), o.header()+2, o.header()+6)}
	}
	_, err := r.Fields.Decode(body, r.Size, o.Split)
	return r, err
}
