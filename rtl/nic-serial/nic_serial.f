// nic_serial: Verilog files, children before parents; top module hpcc_nic
rtl/hpcc_issue.v
rtl/hpcc_flow.v
rtl/hpcc_records.v
rtl/hop_divider.v
rtl/hpcc_hop.v
rtl/hop_max.v
rtl/hpcc_average.v
rtl/quotient_divider.v
rtl/hpcc_window.v
rtl/hpcc_core.v
rtl/m_fifo.v
rtl/hpcc_nic.v
