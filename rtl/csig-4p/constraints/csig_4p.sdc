# csig_4p: clock constraint of csig_4p_csig_switch (SDC; legal as XDC too), 150 MHz.
# Another clock: hpccgen generate --clock MHZ, or another period (ns) here.
#
# The pipeline has one clock, clk, and no output depends on an input of the same cycle. This file is for the pipeline alone, as the top of
# a synthesis. Inside a larger design the clock of that design serves, and this file is not needed. The ports have no
# delays here (set_input_delay, set_output_delay): those, pins and I/O standards belong to what surrounds the pipeline.
create_clock -name clk -period 6.667 [get_ports clk]
