package synth

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

const packLog = "pack.log"

// pack makes the bitstream in Dir and gives its path. It appears whole or not at all.
func (j *Job) pack(ctx context.Context, packer program, r routing) (string, error) {
	j.step("packing the bitstream")
	work, err := os.MkdirTemp("", "hpccgen-pack-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	routed := filepath.Join(r.dir, familyTraits[j.Part.Family].routed)
	made := filepath.Join(work, "bitstream")
	var args []string
	switch j.Part.Family {
	case ICE40:
		args = []string{routed, made}
	case ECP5:
		args = []string{"--compress", "--input", routed, "--bit", made}
	case Gowin:
		args = []string{"-d", j.Part.Package, "-o", made, routed}
	}
	log, err := packer.run(ctx, work, args...)
	if err := os.WriteFile(filepath.Join(work, packLog), []byte(log), 0o644); err != nil {
		return "", err
	}
	if err != nil {
		return "", j.keepLog(err, work, packLog)
	}
	if err := j.copyLog(work, packLog); err != nil {
		return "", err
	}
	data, err := os.ReadFile(made)
	if err != nil || len(data) == 0 {
		return "", fmt.Errorf("%s made no bitstream: %w", filepath.Base(packer.path), err)
	}
	if j.Dir == "" {
		return "", nil
	}
	return filepath.Join(j.Dir, j.bitstream()), j.out.Replace(j.bitstream(), data)
}
