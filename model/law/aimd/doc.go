// Package aimd is the golden model of a window that grows by addition and shrinks by half: the smallest law that an
// engine can have. This text is its numeric contract.
//
// # Values
//
// All values are unsigned integers; a fixed-point value of format UQi.f is the integer times 2^-f. rhu(x) is
// floor(x + 1/2). sat(x) is x, or the largest value of the format if x is above it. Operands are cut to the widths of
// their ports.
//
//	Window   UQi.f  W, W_ai, W_min, W_max, in bytes
//	InvT     UQi.f  1/T in 1/tick; negative integer bits stand for leading zeros
//	Rate     UQi.f  R, in bytes a tick
//
// The fraction bits of Window and InvT together are at least those of Rate.
//
// An event carries flow, generation, tag, now, ack_seq, snd_nxt (SeqBits bits) and mark (1 bit: the ACK echoes ECN
// congestion). The law does not look at now.
//
// A context holds open and generation, which are the frame's; started, marked (1 bit), profile, w (Window) and seq
// (SeqBits bits).
//
// Tables, each with the profile as index: 0 W_ai, 1 W_min, 2 W_max (Window), 3 InvT. Others take no effect. Bits of an
// index above the profile's, and of data above the entry's, are ignored. Software writes rhu(v 2^f) for a value v.
//
// # Context write and read
//
// Bits of the mask: 0 profile, 1 w, 2 seq, 3 start (open; takes the generation), 4 close (not open; wins over
// start). Start and close clear started and marked. Other fields stay as they are. A read shows all fields.
//
// # Decision
//
// The first row that applies decides; p is the profile of the flow, m = marked or mark.
//
//	row  condition                                   kind    status         effect
//	1    no such flow, not open, or another          none    rejected_flow  nothing; w and rate of the decision are 0
//	     generation than the event's
//	2    not started                                 first   first          started = 1, marked = mark, seq = snd_nxt
//	3    1 <= (ack_seq - seq) mod 2^SeqBits          update  see below      w = W, marked = 0, seq = snd_nxt
//	     < 2^(SeqBits-1)
//	4    else                                        none    no_commit      marked = m
//
// In row 3
//
//	S = rhu(w / 2)     if m
//	S = w + W_ai[p]    else, exact: one bit wider than Window
//	W = W_min[p], status clamped_min   if S < W_min[p]
//	W = W_max[p], status clamped_max   else if S > W_max[p]
//	W = S, status ok                   else
//
// Rows 2 to 4 give w as it is after the row, and
//
//	rate = sat(rhu(w InvT[p] 2^-(Window.f + InvT.f - Rate.f)))
//
// Kinds: 0 none, 1 first, 2 update. Statuses: 0 ok, 1 first, 5 rejected_flow, 10 no_commit, 11 clamped_min, 12
// clamped_max: a status has the same code with every law. Events of row 1 are counted in n_rejected_flow.
//
// Taps, of events of row 3: halved (m), sum (S), window (W), rate.
//
// # Error
//
// Against the same law in exact arithmetic, ulp being the last place of a format: one halving adds at most
// ulp(Window)/2, and halves the error that was there; growth and the limits add none. So W is never off by more than
// one ulp(Window), if W_ai, W_min and W_max are exact. R differs from w/T by at most ulp(Rate)/2 + w ulp(InvT)/2, if
// not saturated.
package aimd
