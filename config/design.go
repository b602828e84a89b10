package config

// Kinds of designs, as the key design names them.
const (
	KindNIC  = "nic"  // congestion control of a sender or receiver
	KindCSIG = "csig" // CSIG pipeline of a switch
	KindINT  = "int"  // INT source of a switch
)

// Laws of a NIC, as the key law names them.
const (
	LawHPCC    = "hpcc" // HPCC++
	LawAIMD    = "aimd" // additive increase, multiplicative decrease
	defaultLaw = LawHPCC
)

// Design is a validated configuration of any kind: a *NIC, an *AIMD, a *CSIG or an *INT.
type Design interface {
	DesignKind() string   // KindNIC, KindCSIG, KindINT
	DesignName() string   // a Verilog identifier
	DesignHash() string   // 16 hexadecimal digits
	ModulePrefix() string // begins the name of every module; empty with module_prefix: none
	ResetAsync() bool     // rst_n, asynchronous and active low, instead of rst
	Canonical() []byte    // YAML with every key resolved, over which the hash is taken
}

// DesignKind is KindCSIG.
func (c *CSIG) DesignKind() string { return KindCSIG }

// DesignName is Name.
func (c *CSIG) DesignName() string { return c.Name }

// DesignHash is Hash.
func (c *CSIG) DesignHash() string { return c.Hash }

// ModulePrefix is Prefix.
func (c *CSIG) ModulePrefix() string { return c.Prefix }

// ResetAsync is AsyncReset.
func (c *CSIG) ResetAsync() bool { return c.AsyncReset }

// DesignKind is KindINT.
func (c *INT) DesignKind() string { return KindINT }

// DesignName is Name.
func (c *INT) DesignName() string { return c.Name }

// DesignHash is Hash.
func (c *INT) DesignHash() string { return c.Hash }

// ModulePrefix is Prefix.
func (c *INT) ModulePrefix() string { return c.Prefix }

// ResetAsync is AsyncReset.
func (c *INT) ResetAsync() bool { return c.AsyncReset }
