// nic_serial: Verilog files, children before parents; top module nic_serial_hpcc_nic
// The paths are relative to this file. -F reads them so, from any folder: verilator -F PATH/nic_serial.f.
// With -f, or a tool that has no -F (iverilog), run the tool in this folder.
rtl/nic_serial_hpcc_issue.v
rtl/nic_serial_hpcc_flow.v
rtl/nic_serial_hpcc_records.v
rtl/nic_serial_hop_divider.v
rtl/nic_serial_hpcc_hop.v
rtl/nic_serial_hop_max.v
rtl/nic_serial_hpcc_average.v
rtl/nic_serial_quotient_divider.v
rtl/nic_serial_hpcc_window.v
rtl/nic_serial_hpcc_core.v
rtl/nic_serial_m_fifo.v
rtl/nic_serial_hpcc_nic.v
