// nic_aimd: Verilog files, children before parents; top module aimd_nic
rtl/s_slice.v
rtl/s_payload.v
rtl/cw_slice.v
rtl/cr_slice.v
rtl/tw_slice.v
rtl/op_slice.v
rtl/aimd_issue.v
rtl/fast_delay_5x32.v
rtl/fast_delay_7x32.v
rtl/fast_delay_6x61.v
rtl/aimd_core.v
rtl/m_fifo.v
rtl/aimd_nic.v
