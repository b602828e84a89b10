// csig_4p: Verilog files, children before parents; top module csig_4p_csig_switch
// The paths are relative to this file. -F reads them so, from any folder: verilator -F PATH/csig_4p.f.
// With -f, or a tool that has no -F (iverilog), run the tool in this folder.
rtl/csig_4p_csig_registers.v
rtl/csig_4p_csig_counters.v
rtl/csig_4p_csig_axil.v
rtl/csig_4p_csig_header.v
rtl/csig_4p_csig_walk.v
rtl/csig_4p_csig_lookup.v
rtl/csig_4p_csig_meter.v
rtl/csig_4p_csig_signal.v
rtl/csig_4p_csig_compare.v
rtl/csig_4p_csig_bucketizer.v
rtl/csig_4p_credit_fifo.v
rtl/csig_4p_csig_editor.v
rtl/csig_4p_csig_switch.v
