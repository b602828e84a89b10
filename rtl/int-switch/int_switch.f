// int_switch: Verilog files, children before parents; top module int_switch_int_source
// The paths are relative to this file. -F reads them so, from any folder: verilator -F PATH/int_switch.f.
// With -f, or a tool that has no -F (iverilog), run the tool in this folder.
rtl/int_switch_int_registers.v
rtl/int_switch_int_counters.v
rtl/int_switch_int_header.v
rtl/int_switch_int_parse.v
rtl/int_switch_int_tx.v
rtl/int_switch_int_qlen.v
rtl/int_switch_delay.v
rtl/int_switch_int_record.v
rtl/int_switch_int_axil.v
rtl/int_switch_credit_fifo.v
rtl/int_switch_int_editor.v
rtl/int_switch_int_source.v
