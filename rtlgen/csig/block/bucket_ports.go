package block

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// BucketPorts are the ports of csig_bucketizer. A bank is never written while it is read, and is written in the order
// of its buckets. s_valid exists where the search makes use of the cycles between values.
type BucketPorts struct {
	Valid   vgen.Signal `port:"s_valid" dir:"in" width:"valid" role:"valid" doc:"a value to encode; the next one at least an initiation interval later"`
	Type    vgen.Signal `port:"s_type" dir:"in" width:"kind" doc:"signal type"`
	Bank    vgen.Signal `port:"s_bank" dir:"in" width:"1" doc:"bank that holds the type's table"`
	Value   vgen.Signal `port:"s_value" dir:"in" width:"value" doc:"signal value"`
	Code    vgen.Signal `port:"m_code" dir:"out" width:"code" doc:"bucket of the value"`
	Write   vgen.Signal `port:"w_valid" dir:"in" width:"1" role:"valid" doc:"a lower bound is written"`
	WType   vgen.Signal `port:"w_type" dir:"in" width:"kind" doc:"type of its table"`
	WBank   vgen.Signal `port:"w_bank" dir:"in" width:"1" doc:"bank, not the one in use"`
	WIndex  vgen.Signal `port:"w_index" dir:"in" width:"code" doc:"its bucket, at least 1: bucket 0 begins at 0"`
	WBound  vgen.Signal `port:"w_bound" dir:"in" width:"value" doc:"lower bound, not below the one before it"`
	Present vgen.Signal `port:"w_present" dir:"in" width:"1" doc:"the table has this bucket; 0: no value reaches it, nor those after it"`
}

// TableBits is the width of the number of a bucket table: type and bank.
var TableBits = KindBits + 1
