// Simulation model of the ECP5 block RAM DP16KD, in the modes that Yosys emits: 1024 words of 18 bits, two ports.
//
// Written from the vendor's memory usage guide and the pins that Yosys uses. Widths of 1, 2, 4, 9, 18, and of 36 with port A only writing and port B only
// reading: the low half is then DIA, DOA, the high half DIB, DOB. A word of 18 bits is two bytes of 9; narrower words than 9
// leave the ninth bit out. With 18 and 36 bits the lowest address bits are the byte enables of a write.
//
// A port that reads what the other port writes in the same cycle reads nothing that is defined. This model then gives the
// inverse of what was stored, so that a design which depends on it fails.
//
// The output register of a port (REGMODE OUTREG) takes what the port has read when OCE is high, whatever CE is; with 36 bits port B's takes the whole word, and
// both ports must have it. A reset is not covered together with it: the simulation stops.
//
// Modes that are not covered (decoding of chip selects, other widths) are instances of a module that does not exist: elaboration refuses them.

`default_nettype none

module DP16KD (
  input  wire DIA0, DIA1, DIA2, DIA3, DIA4, DIA5, DIA6, DIA7, DIA8, DIA9, DIA10, DIA11, DIA12, DIA13, DIA14, DIA15, DIA16, DIA17,
  input  wire ADA0, ADA1, ADA2, ADA3, ADA4, ADA5, ADA6, ADA7, ADA8, ADA9, ADA10, ADA11, ADA12, ADA13,
  input  wire CEA, OCEA, CLKA, WEA, RSTA, CSA0, CSA1, CSA2,
  output wire DOA0, DOA1, DOA2, DOA3, DOA4, DOA5, DOA6, DOA7, DOA8, DOA9, DOA10, DOA11, DOA12, DOA13, DOA14, DOA15, DOA16, DOA17,
  input  wire DIB0, DIB1, DIB2, DIB3, DIB4, DIB5, DIB6, DIB7, DIB8, DIB9, DIB10, DIB11, DIB12, DIB13, DIB14, DIB15, DIB16, DIB17,
  input  wire ADB0, ADB1, ADB2, ADB3, ADB4, ADB5, ADB6, ADB7, ADB8, ADB9, ADB10, ADB11, ADB12, ADB13,
  input  wire CEB, OCEB, CLKB, WEB, RSTB, CSB0, CSB1, CSB2,
  output wire DOB0, DOB1, DOB2, DOB3, DOB4, DOB5, DOB6, DOB7, DOB8, DOB9, DOB10, DOB11, DOB12, DOB13, DOB14, DOB15, DOB16, DOB17
);
  parameter DATA_WIDTH_A = 18;
  parameter DATA_WIDTH_B = 18;
  parameter REGMODE_A = "NOREG";
  parameter REGMODE_B = "NOREG";
  parameter RESETMODE = "SYNC";
  parameter ASYNC_RESET_RELEASE = "SYNC";
  parameter CSDECODE_A = "0b000";
  parameter CSDECODE_B = "0b000";
  parameter WRITEMODE_A = "NORMAL";
  parameter WRITEMODE_B = "NORMAL";
  parameter CLKAMUX = "CLKA";
  parameter CLKBMUX = "CLKB";
  parameter GSR = "ENABLED";
  parameter [319:0] INITVAL_00 = 320'd0;
  parameter [319:0] INITVAL_01 = 320'd0;
  parameter [319:0] INITVAL_02 = 320'd0;
  parameter [319:0] INITVAL_03 = 320'd0;
  parameter [319:0] INITVAL_04 = 320'd0;
  parameter [319:0] INITVAL_05 = 320'd0;
  parameter [319:0] INITVAL_06 = 320'd0;
  parameter [319:0] INITVAL_07 = 320'd0;
  parameter [319:0] INITVAL_08 = 320'd0;
  parameter [319:0] INITVAL_09 = 320'd0;
  parameter [319:0] INITVAL_0A = 320'd0;
  parameter [319:0] INITVAL_0B = 320'd0;
  parameter [319:0] INITVAL_0C = 320'd0;
  parameter [319:0] INITVAL_0D = 320'd0;
  parameter [319:0] INITVAL_0E = 320'd0;
  parameter [319:0] INITVAL_0F = 320'd0;
  parameter [319:0] INITVAL_10 = 320'd0;
  parameter [319:0] INITVAL_11 = 320'd0;
  parameter [319:0] INITVAL_12 = 320'd0;
  parameter [319:0] INITVAL_13 = 320'd0;
  parameter [319:0] INITVAL_14 = 320'd0;
  parameter [319:0] INITVAL_15 = 320'd0;
  parameter [319:0] INITVAL_16 = 320'd0;
  parameter [319:0] INITVAL_17 = 320'd0;
  parameter [319:0] INITVAL_18 = 320'd0;
  parameter [319:0] INITVAL_19 = 320'd0;
  parameter [319:0] INITVAL_1A = 320'd0;
  parameter [319:0] INITVAL_1B = 320'd0;
  parameter [319:0] INITVAL_1C = 320'd0;
  parameter [319:0] INITVAL_1D = 320'd0;
  parameter [319:0] INITVAL_1E = 320'd0;
  parameter [319:0] INITVAL_1F = 320'd0;
  parameter [319:0] INITVAL_20 = 320'd0;
  parameter [319:0] INITVAL_21 = 320'd0;
  parameter [319:0] INITVAL_22 = 320'd0;
  parameter [319:0] INITVAL_23 = 320'd0;
  parameter [319:0] INITVAL_24 = 320'd0;
  parameter [319:0] INITVAL_25 = 320'd0;
  parameter [319:0] INITVAL_26 = 320'd0;
  parameter [319:0] INITVAL_27 = 320'd0;
  parameter [319:0] INITVAL_28 = 320'd0;
  parameter [319:0] INITVAL_29 = 320'd0;
  parameter [319:0] INITVAL_2A = 320'd0;
  parameter [319:0] INITVAL_2B = 320'd0;
  parameter [319:0] INITVAL_2C = 320'd0;
  parameter [319:0] INITVAL_2D = 320'd0;
  parameter [319:0] INITVAL_2E = 320'd0;
  parameter [319:0] INITVAL_2F = 320'd0;
  parameter [319:0] INITVAL_30 = 320'd0;
  parameter [319:0] INITVAL_31 = 320'd0;
  parameter [319:0] INITVAL_32 = 320'd0;
  parameter [319:0] INITVAL_33 = 320'd0;
  parameter [319:0] INITVAL_34 = 320'd0;
  parameter [319:0] INITVAL_35 = 320'd0;
  parameter [319:0] INITVAL_36 = 320'd0;
  parameter [319:0] INITVAL_37 = 320'd0;
  parameter [319:0] INITVAL_38 = 320'd0;
  parameter [319:0] INITVAL_39 = 320'd0;
  parameter [319:0] INITVAL_3A = 320'd0;
  parameter [319:0] INITVAL_3B = 320'd0;
  parameter [319:0] INITVAL_3C = 320'd0;
  parameter [319:0] INITVAL_3D = 320'd0;
  parameter [319:0] INITVAL_3E = 320'd0;
  parameter [319:0] INITVAL_3F = 320'd0;

  localparam PSEUDO = DATA_WIDTH_A == 36 || DATA_WIDTH_B == 36; // A writes, B reads

  generate
    if (!(DATA_WIDTH_A == 1 || DATA_WIDTH_A == 2 || DATA_WIDTH_A == 4 || DATA_WIDTH_A == 9 || DATA_WIDTH_A == 18 || DATA_WIDTH_A == 36) ||
        !(DATA_WIDTH_B == 1 || DATA_WIDTH_B == 2 || DATA_WIDTH_B == 4 || DATA_WIDTH_B == 9 || DATA_WIDTH_B == 18 || DATA_WIDTH_B == 36)) begin : g_width
      DP16KD_width_without_a_model u_refused ();
    end
    if (!(REGMODE_A == "NOREG" || REGMODE_A == "OUTREG") || !(REGMODE_B == "NOREG" || REGMODE_B == "OUTREG") || DATA_WIDTH_B == 36 && REGMODE_A != REGMODE_B) begin : g_register
      DP16KD_output_register_without_a_model u_refused ();
    end
    if (CSDECODE_A != "0b000" || CSDECODE_B != "0b000") begin : g_select
      DP16KD_chip_select_without_a_model u_refused ();
    end
    if (!(RESETMODE == "SYNC" || RESETMODE == "ASYNC")) begin : g_reset
      DP16KD_reset_mode_without_a_model u_refused ();
    end
    if (!(WRITEMODE_A == "NORMAL" || WRITEMODE_A == "WRITETHROUGH" || WRITEMODE_A == "READBEFOREWRITE") ||
        !(WRITEMODE_B == "NORMAL" || WRITEMODE_B == "WRITETHROUGH" || WRITEMODE_B == "READBEFOREWRITE")) begin : g_write
      DP16KD_write_mode_without_a_model u_refused ();
    end
    if (!(CLKAMUX == "CLKA" || CLKAMUX == "INV") || !(CLKBMUX == "CLKB" || CLKBMUX == "INV")) begin : g_clock
      DP16KD_clock_without_a_model u_refused ();
    end
  endgenerate

  // A pair of words: the widest access. Bits of a pair that an access of some width touches.
  function [35:0] lanes;
    input integer    width;
    input     [13:0] address; // bit 4 is the place in the pair
    input            byte_enables;
    begin
      case (width)
        36:      lanes = byte_enables ? {{9{address[3]}}, {9{address[2]}}, {9{address[1]}}, {9{address[0]}}} : {36{1'b1}};
        18:      lanes = {18'd0, byte_enables ? {{9{address[1]}}, {9{address[0]}}} : {18{1'b1}}} << (address[4] ? 18 : 0);
        9:       lanes = 36'h1ff << place(9, address);
        4:       lanes = 36'hf << place(4, address);
        2:       lanes = 36'h3 << place(2, address);
        default: lanes = 36'h1 << place(1, address);
      endcase
    end
  endfunction

  // Lowest bit of an access in its pair.
  function [5:0] place;
    input integer    width;
    input     [13:0] address;
    begin
      case (width)
        36:      place = 6'd0;
        18:      place = address[4] ? 6'd18 : 6'd0;
        9:       place = 6'd9 * {4'd0, address[4:3]};
        4:       place = 6'd9 * {4'd0, address[4:3]} + {3'd0, address[2], 2'd0};
        2:       place = 6'd9 * {4'd0, address[4:3]} + {3'd0, address[2:1], 1'd0};
        default: place = 6'd9 * {4'd0, address[4:3]} + {3'd0, address[2:0]};
      endcase
    end
  endfunction

  wire [13:0] address_a = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0};
  wire [13:0] address_b = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};
  wire [17:0] data_a = {DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0};
  wire [17:0] data_b = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0};

  wire on_a = CEA && !CSA0 && !CSA1 && !CSA2;
  wire on_b = CEB && !CSB0 && !CSB1 && !CSB2;
  wire write_a = on_a && WEA && !(RSTA && RESETMODE == "SYNC"); // a synchronous reset blocks the write
  wire write_b = on_b && WEB && !(RSTB && RESETMODE == "SYNC");

  wire [35:0] mask_a = lanes(DATA_WIDTH_A, address_a, 1'b1);
  wire [35:0] mask_b = lanes(DATA_WIDTH_B, address_b, 1'b1);
  wire [35:0] new_a = DATA_WIDTH_A == 36 ? {data_b, data_a} : {18'd0, data_a} << place(DATA_WIDTH_A, address_a);
  wire [35:0] new_b = {18'd0, data_b} << place(DATA_WIDTH_B, address_b);

  wire        same = address_a[13:5] == address_b[13:5];
  wire [35:0] lost_a = write_b && same ? mask_b : 36'd0; // what port A cannot read in this cycle
  wire [35:0] lost_b = write_a && same ? mask_a : 36'd0;

  reg [35:0] memory [0:511];
  reg [17:0] q_a;  // DOA
  reg [35:0] q_b;  // DOB, {DOB, DOA} with 36 bits

  wire clock_a = CLKAMUX == "INV" ? ~CLKA : CLKA;
  wire clock_b = CLKBMUX == "INV" ? ~CLKB : CLKB;
  wire [35:0] old_a = memory[address_a[13:5]];
  wire [35:0] old_b = memory[address_b[13:5]];
  wire [35:0] seen_a = (WRITEMODE_A == "WRITETHROUGH" && write_a ? (old_a & ~mask_a) | (new_a & mask_a) : old_a) ^ lost_a;
  wire [35:0] seen_b = (WRITEMODE_B == "WRITETHROUGH" && write_b ? (old_b & ~mask_b) | (new_b & mask_b) : old_b) ^ lost_b;
  wire        load_a = on_a && !(WEA && WRITEMODE_A == "NORMAL");
  wire        load_b = on_b && !(WEB && WRITEMODE_B == "NORMAL");

  always @(posedge clock_a) begin
    if (write_a) memory[address_a[13:5]] <= (old_a & ~mask_a) | (new_a & mask_a);
    if (PSEUDO && (DATA_WIDTH_A == 36 || WEA) && WEB) $stop; // port B only reads
  end

  always @(posedge clock_b) if (write_b) memory[address_b[13:5]] <= (old_b & ~mask_b) | (new_b & mask_b);

  // The address of a read has no byte enables.
  wire [35:0] read_a = (seen_a >> place(DATA_WIDTH_A, address_a)) & (lanes(DATA_WIDTH_A, 14'd0, 1'b0));
  wire [35:0] read_b = (seen_b >> place(DATA_WIDTH_B, address_b)) & (lanes(DATA_WIDTH_B, 14'd0, 1'b0));

  generate
    if (RESETMODE == "ASYNC") begin : g_async
      always @(posedge clock_a or posedge RSTA)
        if (RSTA) q_a <= 18'd0;
        else if (load_a) q_a <= read_a[17:0];
      always @(posedge clock_b or posedge RSTB)
        if (RSTB) q_b <= 36'd0;
        else if (load_b) q_b <= read_b;
    end else begin : g_sync
      always @(posedge clock_a)
        if (RSTA) q_a <= 18'd0;
        else if (load_a) q_a <= read_a[17:0];
      always @(posedge clock_b)
        if (RSTB) q_b <= 36'd0;
        else if (load_b) q_b <= read_b;
    end
  endgenerate

  reg [17:0] r_a; // output registers
  reg [35:0] r_b;
  always @(posedge clock_a) begin
    if (OCEA) r_a <= q_a;
    if (REGMODE_A == "OUTREG" && RSTA) $stop;
  end
  always @(posedge clock_b) begin
    if (OCEB) r_b <= q_b;
    if (REGMODE_B == "OUTREG" && RSTB) $stop;
  end
  wire [17:0] do_a = REGMODE_A == "OUTREG" ? r_a : q_a;
  wire [35:0] do_b = REGMODE_B == "OUTREG" ? r_b : q_b;

  assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0} = DATA_WIDTH_B == 36 ? do_b[17:0] : do_a;
  assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0} = DATA_WIDTH_B == 36 ? do_b[35:18] : do_b[17:0];

  integer i;
  initial begin
    q_a = 18'd0;
    q_b = 36'd0;
    r_a = 18'd0;
    r_b = 36'd0;
    for (i = 0; i < 8; i = i + 1) begin
      memory[  0 + i] = {INITVAL_00[40 * i + 20 +: 18], INITVAL_00[40 * i +: 18]};
      memory[  8 + i] = {INITVAL_01[40 * i + 20 +: 18], INITVAL_01[40 * i +: 18]};
      memory[ 16 + i] = {INITVAL_02[40 * i + 20 +: 18], INITVAL_02[40 * i +: 18]};
      memory[ 24 + i] = {INITVAL_03[40 * i + 20 +: 18], INITVAL_03[40 * i +: 18]};
      memory[ 32 + i] = {INITVAL_04[40 * i + 20 +: 18], INITVAL_04[40 * i +: 18]};
      memory[ 40 + i] = {INITVAL_05[40 * i + 20 +: 18], INITVAL_05[40 * i +: 18]};
      memory[ 48 + i] = {INITVAL_06[40 * i + 20 +: 18], INITVAL_06[40 * i +: 18]};
      memory[ 56 + i] = {INITVAL_07[40 * i + 20 +: 18], INITVAL_07[40 * i +: 18]};
      memory[ 64 + i] = {INITVAL_08[40 * i + 20 +: 18], INITVAL_08[40 * i +: 18]};
      memory[ 72 + i] = {INITVAL_09[40 * i + 20 +: 18], INITVAL_09[40 * i +: 18]};
      memory[ 80 + i] = {INITVAL_0A[40 * i + 20 +: 18], INITVAL_0A[40 * i +: 18]};
      memory[ 88 + i] = {INITVAL_0B[40 * i + 20 +: 18], INITVAL_0B[40 * i +: 18]};
      memory[ 96 + i] = {INITVAL_0C[40 * i + 20 +: 18], INITVAL_0C[40 * i +: 18]};
      memory[104 + i] = {INITVAL_0D[40 * i + 20 +: 18], INITVAL_0D[40 * i +: 18]};
      memory[112 + i] = {INITVAL_0E[40 * i + 20 +: 18], INITVAL_0E[40 * i +: 18]};
      memory[120 + i] = {INITVAL_0F[40 * i + 20 +: 18], INITVAL_0F[40 * i +: 18]};
      memory[128 + i] = {INITVAL_10[40 * i + 20 +: 18], INITVAL_10[40 * i +: 18]};
      memory[136 + i] = {INITVAL_11[40 * i + 20 +: 18], INITVAL_11[40 * i +: 18]};
      memory[144 + i] = {INITVAL_12[40 * i + 20 +: 18], INITVAL_12[40 * i +: 18]};
      memory[152 + i] = {INITVAL_13[40 * i + 20 +: 18], INITVAL_13[40 * i +: 18]};
      memory[160 + i] = {INITVAL_14[40 * i + 20 +: 18], INITVAL_14[40 * i +: 18]};
      memory[168 + i] = {INITVAL_15[40 * i + 20 +: 18], INITVAL_15[40 * i +: 18]};
      memory[176 + i] = {INITVAL_16[40 * i + 20 +: 18], INITVAL_16[40 * i +: 18]};
      memory[184 + i] = {INITVAL_17[40 * i + 20 +: 18], INITVAL_17[40 * i +: 18]};
      memory[192 + i] = {INITVAL_18[40 * i + 20 +: 18], INITVAL_18[40 * i +: 18]};
      memory[200 + i] = {INITVAL_19[40 * i + 20 +: 18], INITVAL_19[40 * i +: 18]};
      memory[208 + i] = {INITVAL_1A[40 * i + 20 +: 18], INITVAL_1A[40 * i +: 18]};
      memory[216 + i] = {INITVAL_1B[40 * i + 20 +: 18], INITVAL_1B[40 * i +: 18]};
      memory[224 + i] = {INITVAL_1C[40 * i + 20 +: 18], INITVAL_1C[40 * i +: 18]};
      memory[232 + i] = {INITVAL_1D[40 * i + 20 +: 18], INITVAL_1D[40 * i +: 18]};
      memory[240 + i] = {INITVAL_1E[40 * i + 20 +: 18], INITVAL_1E[40 * i +: 18]};
      memory[248 + i] = {INITVAL_1F[40 * i + 20 +: 18], INITVAL_1F[40 * i +: 18]};
      memory[256 + i] = {INITVAL_20[40 * i + 20 +: 18], INITVAL_20[40 * i +: 18]};
      memory[264 + i] = {INITVAL_21[40 * i + 20 +: 18], INITVAL_21[40 * i +: 18]};
      memory[272 + i] = {INITVAL_22[40 * i + 20 +: 18], INITVAL_22[40 * i +: 18]};
      memory[280 + i] = {INITVAL_23[40 * i + 20 +: 18], INITVAL_23[40 * i +: 18]};
      memory[288 + i] = {INITVAL_24[40 * i + 20 +: 18], INITVAL_24[40 * i +: 18]};
      memory[296 + i] = {INITVAL_25[40 * i + 20 +: 18], INITVAL_25[40 * i +: 18]};
      memory[304 + i] = {INITVAL_26[40 * i + 20 +: 18], INITVAL_26[40 * i +: 18]};
      memory[312 + i] = {INITVAL_27[40 * i + 20 +: 18], INITVAL_27[40 * i +: 18]};
      memory[320 + i] = {INITVAL_28[40 * i + 20 +: 18], INITVAL_28[40 * i +: 18]};
      memory[328 + i] = {INITVAL_29[40 * i + 20 +: 18], INITVAL_29[40 * i +: 18]};
      memory[336 + i] = {INITVAL_2A[40 * i + 20 +: 18], INITVAL_2A[40 * i +: 18]};
      memory[344 + i] = {INITVAL_2B[40 * i + 20 +: 18], INITVAL_2B[40 * i +: 18]};
      memory[352 + i] = {INITVAL_2C[40 * i + 20 +: 18], INITVAL_2C[40 * i +: 18]};
      memory[360 + i] = {INITVAL_2D[40 * i + 20 +: 18], INITVAL_2D[40 * i +: 18]};
      memory[368 + i] = {INITVAL_2E[40 * i + 20 +: 18], INITVAL_2E[40 * i +: 18]};
      memory[376 + i] = {INITVAL_2F[40 * i + 20 +: 18], INITVAL_2F[40 * i +: 18]};
      memory[384 + i] = {INITVAL_30[40 * i + 20 +: 18], INITVAL_30[40 * i +: 18]};
      memory[392 + i] = {INITVAL_31[40 * i + 20 +: 18], INITVAL_31[40 * i +: 18]};
      memory[400 + i] = {INITVAL_32[40 * i + 20 +: 18], INITVAL_32[40 * i +: 18]};
      memory[408 + i] = {INITVAL_33[40 * i + 20 +: 18], INITVAL_33[40 * i +: 18]};
      memory[416 + i] = {INITVAL_34[40 * i + 20 +: 18], INITVAL_34[40 * i +: 18]};
      memory[424 + i] = {INITVAL_35[40 * i + 20 +: 18], INITVAL_35[40 * i +: 18]};
      memory[432 + i] = {INITVAL_36[40 * i + 20 +: 18], INITVAL_36[40 * i +: 18]};
      memory[440 + i] = {INITVAL_37[40 * i + 20 +: 18], INITVAL_37[40 * i +: 18]};
      memory[448 + i] = {INITVAL_38[40 * i + 20 +: 18], INITVAL_38[40 * i +: 18]};
      memory[456 + i] = {INITVAL_39[40 * i + 20 +: 18], INITVAL_39[40 * i +: 18]};
      memory[464 + i] = {INITVAL_3A[40 * i + 20 +: 18], INITVAL_3A[40 * i +: 18]};
      memory[472 + i] = {INITVAL_3B[40 * i + 20 +: 18], INITVAL_3B[40 * i +: 18]};
      memory[480 + i] = {INITVAL_3C[40 * i + 20 +: 18], INITVAL_3C[40 * i +: 18]};
      memory[488 + i] = {INITVAL_3D[40 * i + 20 +: 18], INITVAL_3D[40 * i +: 18]};
      memory[496 + i] = {INITVAL_3E[40 * i + 20 +: 18], INITVAL_3E[40 * i +: 18]};
      memory[504 + i] = {INITVAL_3F[40 * i + 20 +: 18], INITVAL_3F[40 * i +: 18]};
    end
  end
endmodule

`default_nettype wire
