package fixed

import (
	"fmt"
	"regexp"
	"strconv"
)

var notation = regexp.MustCompile(`^UQ(-?[0-9]{1,4})\.([0-9]{1,4})$`)

// Parse reads a format in the notation that String writes: UQ7.20, UQ-8.44. A format without a bit is an error.
func Parse(text string) (Format, error) {
	m := notation.FindStringSubmatch(text)
	if m == nil {
		return Format{},
			fmt.Errorf("%q is not a format: write UQi.f with i integer and f fraction bits, for example UQ7.20", text)
	}
	i, _ := strconv.Atoi(m[1]) // the expression admits only small integers
	f, _ := strconv.Atoi(m[2])
	if i+f < 1 {
		return Format{}, fmt.Errorf("%s has %d bits: a format has at least one", text, i+f)
	}
	return UQ(i, f), nil
}
