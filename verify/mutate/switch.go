package mutate

// smallSwitch is a switch with every part of the large ones and short operands.
const smallSwitch = `
design: csig
name: csig_small
ports: 3
stream_bits: 64
widths: {time: 32, bytes: 16, fraction: 0, reciprocal: 18, ratio: 14, queue: 20}
tags: {split: uec, compact: 0x88b5, expanded: 0x88b6}
bandwidth: {method: raw, window: 4us}
bucketizer: search
port_defaults: {capacity: 10G}
`

// foldedSwitch is one with a pipeline that takes eight cycles a packet, with compact tags only.
const foldedSwitch = `
design: csig
name: csig_folded
ports: 3
stream_bits: 64
pipeline: folded
widths: {time: 32, bytes: 16, fraction: 0, reciprocal: 18, ratio: 14, queue: 20}
tags: {split: ietf, compact: 0x88b5, expanded: none}
bandwidth: {method: raw, window: 4us}
bucketizer: search
port_defaults: {capacity: 10G}
`
