// int_switch: Verilog files, children before parents; top module int_source
rtl/int_registers.v
rtl/int_counters.v
rtl/int_header.v
rtl/int_parse.v
rtl/int_tx.v
rtl/int_qlen.v
rtl/delay.v
rtl/int_record.v
rtl/int_axil.v
rtl/credit_fifo.v
rtl/int_editor.v
rtl/int_source.v
