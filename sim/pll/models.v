// SPDX-License-Identifier: Apache-2.0
// Simulation only: PLLs of board tops, which pass their input through and are always locked.

`default_nettype none

module SB_PLL40_CORE #(
    parameter FEEDBACK_PATH = "SIMPLE",
    parameter [3:0] DIVR = 4'd0,
    parameter [6:0] DIVF = 7'd0,
    parameter [2:0] DIVQ = 3'd0,
    parameter [2:0] FILTER_RANGE = 3'd0
) (
    input  wire REFERENCECLK,
    output wire PLLOUTGLOBAL,
    output wire LOCK,
    input  wire RESETB,
    input  wire BYPASS
);
    assign PLLOUTGLOBAL = REFERENCECLK;
    assign LOCK = RESETB;
endmodule

module SB_PLL40_PAD #(
    parameter FEEDBACK_PATH = "SIMPLE",
    parameter [3:0] DIVR = 4'd0,
    parameter [6:0] DIVF = 7'd0,
    parameter [2:0] DIVQ = 3'd0,
    parameter [2:0] FILTER_RANGE = 3'd0
) (
    input  wire PACKAGEPIN,
    output wire PLLOUTGLOBAL,
    output wire LOCK,
    input  wire RESETB,
    input  wire BYPASS
);
    assign PLLOUTGLOBAL = PACKAGEPIN;
    assign LOCK = RESETB;
endmodule

module EHXPLLL #(
    parameter CLKI_DIV = 1,
    parameter CLKFB_DIV = 1,
    parameter CLKOP_DIV = 8,
    parameter CLKOP_CPHASE = 0,
    parameter CLKOP_FPHASE = 0,
    parameter CLKOP_ENABLE = "ENABLED",
    parameter OUTDIVIDER_MUXA = "DIVA",
    parameter FEEDBK_PATH = "CLKOP",
    parameter PLLRST_ENA = "DISABLED",
    parameter INTFB_WAKE = "DISABLED",
    parameter STDBY_ENABLE = "DISABLED",
    parameter DPHASE_SOURCE = "DISABLED"
) (
    input  wire CLKI,
    input  wire CLKFB,
    output wire CLKOP,
    output wire LOCK,
    input  wire RST,
    input  wire STDBY,
    input  wire PHASESEL0,
    input  wire PHASESEL1,
    input  wire PHASEDIR,
    input  wire PHASESTEP,
    input  wire PHASELOADREG,
    input  wire PLLWAKESYNC,
    input  wire ENCLKOP
);
    assign CLKOP = CLKI;
    assign LOCK = ~RST;
endmodule

module rPLL #(
    parameter FCLKIN = "27",
    parameter DEVICE = "GW1NR-9C",
    parameter IDIV_SEL = 0,
    parameter FBDIV_SEL = 0,
    parameter ODIV_SEL = 8,
    parameter DYN_IDIV_SEL = "false",
    parameter DYN_FBDIV_SEL = "false",
    parameter DYN_ODIV_SEL = "false",
    parameter CLKFB_SEL = "internal",
    parameter PSDA_SEL = "0000",
    parameter DUTYDA_SEL = "1000"
) (
    input  wire CLKIN,
    output wire CLKOUT,
    output wire LOCK,
    input  wire RESET,
    input  wire RESET_P,
    input  wire CLKFB,
    input  wire [5:0] FBDSEL,
    input  wire [5:0] IDSEL,
    input  wire [5:0] ODSEL,
    input  wire [3:0] PSDA,
    input  wire [3:0] DUTYDA,
    input  wire [3:0] FDLY
);
    assign CLKOUT = CLKIN;
    assign LOCK = ~RESET;
endmodule

`default_nettype wire
