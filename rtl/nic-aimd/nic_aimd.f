// nic_aimd: Verilog files, children before parents; top module nic_aimd_aimd_nic
// The paths are relative to this file. -F reads them so, from any folder: verilator -F PATH/nic_aimd.f.
// With -f, or a tool that has no -F (iverilog), run the tool in this folder.
rtl/nic_aimd_skid_buffer.v
rtl/nic_aimd_payload_memory.v
rtl/nic_aimd_hold_buffer.v
rtl/nic_aimd_aimd_issue.v
rtl/nic_aimd_fast_delay.v
rtl/nic_aimd_aimd_core.v
rtl/nic_aimd_fast_credit_fifo.v
rtl/nic_aimd_aimd_nic.v
