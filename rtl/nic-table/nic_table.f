// nic_table: Verilog files, children before parents; top module nic_table_hpcc_nic
// The paths are relative to this file. -F reads them so, from any folder: verilator -F PATH/nic_table.f.
// With -f, or a tool that has no -F (iverilog), run the tool in this folder.
rtl/nic_table_skid_buffer.v
rtl/nic_table_payload_memory.v
rtl/nic_table_hold_buffer.v
rtl/nic_table_hpcc_issue.v
rtl/nic_table_fast_delay.v
rtl/nic_table_hpcc_flow.v
rtl/nic_table_hop_record.v
rtl/nic_table_hpcc_records.v
rtl/nic_table_hop_max.v
rtl/nic_table_hop_divider.v
rtl/nic_table_hpcc_hop.v
rtl/nic_table_hpcc_average.v
rtl/nic_table_quotient_divider.v
rtl/nic_table_hpcc_window.v
rtl/nic_table_hpcc_core.v
rtl/nic_table_fast_credit_fifo.v
rtl/nic_table_hpcc_nic.v
