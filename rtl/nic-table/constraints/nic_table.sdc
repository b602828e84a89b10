# nic_table: clock constraint of nic_table_hpcc_nic (SDC; legal as XDC too), 150 MHz.
# Another clock: hpccgen generate --clock MHZ, or another period (ns) here.
#
# The engine has one clock, clk, and every output is a register. This file is for the engine alone, as the top of
# a synthesis. Inside a larger design the clock of that design serves, and this file is not needed. The ports have no
# delays here (set_input_delay, set_output_delay): those, pins and I/O standards belong to what surrounds the engine.
create_clock -name clk -period 6.667 [get_ports clk]
