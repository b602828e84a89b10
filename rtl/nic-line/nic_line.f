// nic_line: Verilog files, children before parents; top module hpcc_nic
rtl/skid_buffer.v
rtl/payload_memory.v
rtl/hold_buffer.v
rtl/hpcc_issue.v
rtl/fast_delay.v
rtl/hpcc_flow.v
rtl/hpcc_records.v
rtl/hop_max.v
rtl/hop_divider.v
rtl/hpcc_hop.v
rtl/hpcc_average.v
rtl/quotient_divider.v
rtl/hpcc_window.v
rtl/hpcc_core.v
rtl/fast_credit_fifo.v
rtl/hpcc_nic.v
