package bind

// AXILInputs are the inputs of an AXI4-Lite slave, docs/csig.md, Ports.
func AXILInputs() []Port {
	return []Port{
		{"s_axil_awaddr", 16}, {"s_axil_awprot", 3}, {"s_axil_awvalid", 1},
		{"s_axil_wdata", 32}, {"s_axil_wstrb", 4}, {"s_axil_wvalid", 1}, {"s_axil_bready", 1},
		{"s_axil_araddr", 16}, {"s_axil_arprot", 3}, {"s_axil_arvalid", 1}, {"s_axil_rready", 1},
	}
}

// AXILOutputs are its outputs.
func AXILOutputs() []Port {
	return []Port{
		{"s_axil_awready", 1}, {"s_axil_wready", 1}, {"s_axil_bresp", 2}, {"s_axil_bvalid", 1},
		{"s_axil_arready", 1}, {"s_axil_rdata", 32}, {"s_axil_rresp", 2}, {"s_axil_rvalid", 1},
	}
}
