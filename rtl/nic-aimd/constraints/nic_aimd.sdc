# nic_aimd: clock constraint of nic_aimd_aimd_nic (SDC).
#
# The engine has one clock, clk, and every output is a register. Set aimd_clk_period (ns) before this file is read, or change
# the default below. Inside a larger design the clock of that design serves, and this file is not needed.
# Pins, I/O standards and the delays at the ports belong to a board and are not here.
if {![info exists aimd_clk_period]} { set aimd_clk_period 6.667 }
create_clock -name clk -period $aimd_clk_period [get_ports clk]
