// csig_64p: Verilog files, children before parents; top module csig_64p_csig_switch
// The paths are relative to this file. -F reads them so, from any folder: verilator -F PATH/csig_64p.f.
// With -f, or a tool that has no -F (iverilog), run the tool in this folder.
rtl/csig_64p_csig_registers.v
rtl/csig_64p_csig_counters.v
rtl/csig_64p_csig_axil.v
rtl/csig_64p_csig_header.v
rtl/csig_64p_fast_delay.v
rtl/csig_64p_csig_walk.v
rtl/csig_64p_csig_lookup.v
rtl/csig_64p_csig_meter.v
rtl/csig_64p_csig_scale.v
rtl/csig_64p_csig_signal.v
rtl/csig_64p_csig_bucketizer.v
rtl/csig_64p_csig_quantizer.v
rtl/csig_64p_csig_compare.v
rtl/csig_64p_csig_pace.v
rtl/csig_64p_top_store.v
rtl/csig_64p_store.v
rtl/csig_64p_csig_editor.v
rtl/csig_64p_queue.v
rtl/csig_64p_csig_switch.v
