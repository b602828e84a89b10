# csig_4p: clock constraint of csig_4p_csig_switch (SDC).
#
# The pipeline has one clock, clk, and no output depends on an input of the same cycle. Set csig_clk_period (ns) before this file is read, or change
# the default below. Inside a larger design the clock of that design serves, and this file is not needed.
# Pins, I/O standards and the delays at the ports belong to a board and are not here.
if {![info exists csig_clk_period]} { set csig_clk_period 6.667 }
create_clock -name clk -period $csig_clk_period [get_ports clk]
