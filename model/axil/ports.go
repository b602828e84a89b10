package axil

// Inputs are the inputs of the AXI4-Lite interface in one cycle.
type Inputs struct {
	AWValid, WValid, BReady, ARValid, RReady bool
	AWAddr, ARAddr                           uint16
	WData                                    uint32
	WStrb                                    uint8
}

// Outputs are the outputs of the AXI4-Lite interface in one cycle.
type Outputs struct {
	AWReady, WReady, BValid, ARReady, RValid bool
	BError, RError                           bool // SLVERR (2) instead of OKAY (0)
	RData                                    uint32
}
