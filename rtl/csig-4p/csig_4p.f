// csig_4p: Verilog files, children before parents; top module csig_switch
rtl/csig_registers.v
rtl/csig_counters.v
rtl/csig_axil.v
rtl/csig_header.v
rtl/csig_walk.v
rtl/csig_lookup.v
rtl/csig_meter.v
rtl/csig_signal.v
rtl/csig_compare.v
rtl/csig_bucketizer.v
rtl/credit_fifo.v
rtl/csig_editor.v
rtl/csig_switch.v
