// Simulation model of the ECP5 multiplier MULT18X18D: 18 by 18 bits, each operand signed or not, with or without registers at the operands and at the product.
// Written from the vendor's sysDSP usage guide.
//
// A register is clocked by CLK0, always enabled and never reset: the simulation stops if an enable is low or a reset high, as only all of them together are
// known to reach the output register. The signs have registers with the operands and are constants then.
//
// Other modes (the register in the middle, other clocks, operands from the neighbour) are instances of a module that does not exist: elaboration refuses them; a
// source that is not the operand itself stops the simulation.

`default_nettype none

module MULT18X18D (
  input  wire A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16, A17,
  input  wire B0, B1, B2, B3, B4, B5, B6, B7, B8, B9, B10, B11, B12, B13, B14, B15, B16, B17,
  input  wire C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13, C14, C15, C16, C17,
  input  wire SIGNEDA, SIGNEDB, SOURCEA, SOURCEB,
  input  wire CLK0, CLK1, CLK2, CLK3, CE0, CE1, CE2, CE3, RST0, RST1, RST2, RST3,
  input  wire SRIA0, SRIA1, SRIA2, SRIA3, SRIA4, SRIA5, SRIA6, SRIA7, SRIA8, SRIA9, SRIA10, SRIA11, SRIA12, SRIA13, SRIA14, SRIA15, SRIA16, SRIA17,
  input  wire SRIB0, SRIB1, SRIB2, SRIB3, SRIB4, SRIB5, SRIB6, SRIB7, SRIB8, SRIB9, SRIB10, SRIB11, SRIB12, SRIB13, SRIB14, SRIB15, SRIB16, SRIB17,
  output wire P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14, P15, P16, P17, P18, P19, P20, P21, P22, P23, P24, P25, P26, P27, P28, P29, P30, P31, P32, P33, P34, P35
);
  parameter REG_INPUTA_CLK = "NONE";
  parameter REG_INPUTB_CLK = "NONE";
  parameter REG_INPUTC_CLK = "NONE";
  parameter REG_PIPELINE_CLK = "NONE";
  parameter REG_OUTPUT_CLK = "NONE";
  parameter MULT_BYPASS = "DISABLED";

  generate
    if (!(REG_INPUTA_CLK == "NONE" || REG_INPUTA_CLK == "CLK0") || !(REG_INPUTB_CLK == "NONE" || REG_INPUTB_CLK == "CLK0") || !(REG_OUTPUT_CLK == "NONE" || REG_OUTPUT_CLK == "CLK0") ||
        REG_INPUTC_CLK != "NONE" || REG_PIPELINE_CLK != "NONE") begin : g_register
      MULT18X18D_register_without_a_model u_refused ();
    end
    if (MULT_BYPASS != "DISABLED") begin : g_bypass
      MULT18X18D_bypass_without_a_model u_refused ();
    end
  endgenerate

  wire [17:0] a = {A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0};
  wire [17:0] b = {B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0};
  reg [17:0] a_register, b_register;
  wire [17:0] a_used = REG_INPUTA_CLK == "CLK0" ? a_register : a;
  wire [17:0] b_used = REG_INPUTB_CLK == "CLK0" ? b_register : b;
  // The sign of an operand that is not signed is 0; the product's bits above 36 repeat its sign.
  wire signed [18:0] a_signed = {SIGNEDA & a_used[17], a_used};
  wire signed [18:0] b_signed = {SIGNEDB & b_used[17], b_used};
  wire signed [37:0] product = a_signed * b_signed;
  reg [35:0] p_register;

  assign {P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0} = REG_OUTPUT_CLK == "CLK0" ? p_register : product[35:0];

  generate
    if (REG_INPUTA_CLK == "CLK0" || REG_INPUTB_CLK == "CLK0" || REG_OUTPUT_CLK == "CLK0") begin : g_registers
      always @(posedge CLK0) begin
        a_register <= a;
        b_register <= b;
        p_register <= product[35:0];
        if (!(CE0 && CE1 && CE2 && CE3) || RST0 || RST1 || RST2 || RST3) $stop;
      end
    end
  endgenerate

  initial begin
    a_register = 18'd0;
    b_register = 18'd0;
    p_register = 36'd0;
  end

  always @* if (SOURCEA || SOURCEB) $stop; // shifted operands
endmodule

`default_nettype wire
