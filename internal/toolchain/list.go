package toolchain

// The programs that are used. Each is found by its name, or by the environment variable that it has for that.
var (
	Verilator = Tool{
		name: "verilator", command: []string{"verilator"}, env: "VERILATOR", version: []string{"--version"},
		prefix: "Verilator",
		needed: "the verilator engine and lint", install: "apt-get install verilator (5.006 or later)",
	}
	CXX = Tool{
		name: "g++", command: []string{"g++", "c++", "clang++"}, env: "CXX", version: []string{"--version"},
		needed: "the verilator engine (it compiles the model)", install: "apt-get install g++",
	}
	Iverilog = Tool{
		name: "iverilog", command: []string{"iverilog"}, version: []string{"-V"}, prefix: "Icarus Verilog",
		needed: "the icarus engine and lint", install: "apt-get install iverilog (11.0 or later)",
	}
	VVP = Tool{
		name: "vvp", command: []string{"vvp"}, version: []string{"-V"}, prefix: "Icarus Verilog",
		needed: "the icarus engine", install: "apt-get install iverilog (11.0 or later)",
	}
	Yosys = Tool{
		name: "yosys", command: []string{"yosys"}, env: "YOSYS", version: []string{"-V"}, prefix: "Yosys",
		needed: "synthesis, netlist simulation and proofs", install: "apt-get install yosys",
	}
	SMT = Tool{
		name: "yosys-smtbmc", command: []string{"yosys-smtbmc"},
		needed: "proofs", install: "apt-get install yosys z3 boolector",
	}
	Z3 = Tool{
		name: "z3", command: []string{"z3"}, version: []string{"--version"},
		needed: "proofs", install: "apt-get install z3",
	}
	Boolector = Tool{
		name: "boolector", command: []string{"boolector"}, version: []string{"--version"},
		needed: "proofs", install: "apt-get install boolector",
	}
	NextpnrICE40 = Tool{
		name: "nextpnr-ice40", command: []string{"nextpnr-ice40"}, env: "NEXTPNR_ICE40", version: []string{"--version"},
		needed: "boards with an iCE40", install: "apt-get install nextpnr-ice40 fpga-icestorm",
	}
	Icepack = Tool{
		name: "icepack", command: []string{"icepack"},
		needed: "bitstreams for an iCE40", install: "apt-get install fpga-icestorm",
	}
	NextpnrECP5 = Tool{
		name: "nextpnr-ecp5", command: []string{"nextpnr-ecp5"}, env: "NEXTPNR_ECP5", version: []string{"--version"},
		needed: "boards with an ECP5", install: "make tools (Debian 13: apt-get install nextpnr-ecp5)",
	}
	Ecppack = Tool{
		name: "ecppack", command: []string{"ecppack"}, version: []string{"--version"},
		needed: "bitstreams for an ECP5", install: "make tools (Debian 13: apt-get install fpga-trellis)",
	}
	GowinPack = Tool{
		name: "gowin_pack", command: []string{"gowin_pack"},
		needed: "bitstreams for a Gowin part", install: "make tools (Debian 13: apt-get install python3-apycula)",
	}
	NextpnrGowin = Tool{
		name: "nextpnr-gowin", command: []string{"nextpnr-gowin"}, env: "NEXTPNR_GOWIN", version: []string{"--version"},
		needed: "boards with a Gowin part", install: "make tools (Debian 13: apt-get install nextpnr-gowin)",
	}
)

var allTools = []Tool{
	Verilator, CXX, Iverilog, VVP, Yosys, SMT, Z3, Boolector,
	NextpnrICE40, Icepack, NextpnrECP5, Ecppack, NextpnrGowin, GowinPack,
}
