// int_switch: Verilog files, children before parents; top module int_source
rtl/int_registers.v
rtl/int_counters.v
rtl/int_header.v
rtl/int_parse.v
rtl/int_tx.v
rtl/int_qlen.v
rtl/delay_7x28.v
rtl/int_record.v
rtl/delay_10x153.v
rtl/delay_6x64.v
rtl/int_axil.v
rtl/int_beats.v
rtl/int_decisions.v
rtl/int_editor.v
rtl/int_source.v
