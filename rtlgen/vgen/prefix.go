package vgen

// Prefix puts prefix before the names of m and of every module below it, so that designs with modules
// of the same names can live in one chip. Names of instances and of signals stay. A name that is then not legal is a
// problem that Check reports.
func (m *Module) Prefix(prefix string) {
	seen := map[*Module]bool{}
	var walk func(m *Module)
	walk = func(m *Module) {
		if seen[m] {
			return
		}
		seen[m] = true
		m.name, m.prefix = prefix+m.name, prefix+m.prefix
		m.legalName(m.name, "module", m.site)
		for _, i := range m.instances {
			walk(i.sub)
		}
	}
	walk(m)
}
