package output

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asWriter makes the test binary write designs to the folder of that name: one after the other, or so many of one.
const asWriter = "HPCCGEN_TEST_WRITE"

func TestMain(m *testing.M) {
	if dir := os.Getenv(asWriter); dir != "" {
		write(dir)
	}
	os.Exit(m.Run())
}

func write(dir string) {
	fmt.Println("begins")
	for i := 0; ; i++ {
		if err := letters()[i%2].Write(dir); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		if os.Getenv("HPCCGEN_TEST_TIMES") == fmt.Sprint(i+1) {
			os.Exit(0)
		}
	}
}

// letters are two designs of which every file tells to which it belongs; some names are in both.
func letters() (designs [2]*Design) {
	for i, letter := range []string{"a", "b"} {
		d := &Design{}
		m := Manifest{Tool: toolName}
		for n := range 12 {
			for _, name := range []string{fmt.Sprintf("rtl/%d.v", n), fmt.Sprintf("rtl/%s%d.v", letter, n), letter +
				".f", fmt.Sprintf("docs/%s/%d.md", letter, n)} {
				if _, there := d.asMap()[name]; !there {
					d.add(name, []byte(letter))
					m.Files = append(m.Files, name)
				}
			}
		}
		text, err := json.Marshal(m)
		if err != nil {
			panic(err)
		}
		d.add(manifestName, text)
		designs[i] = d
	}
	return designs
}

// writer is a process that writes to dir: times designs, or until it is killed.
func writer(t *testing.T, dir string, times int) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asWriter+"="+dir)
	if times > 0 {
		cmd.Env = append(cmd.Env, fmt.Sprintf("HPCCGEN_TEST_TIMES=%d", times))
	}
	said, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(said).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "begins\n", line)
	return cmd
}

// holds reports which of the designs a folder holds, "" for a mixture.
func holds(t *testing.T, dir string, own map[string]string) string {
	dir, err := filepath.EvalSymlinks(dir)
	require.NoError(t, err)
	have := contents(t, dir)
	maps.DeleteFunc(have, func(name, text string) bool {
		return own[name] == text && text != "" || strings.HasPrefix(name, stageStart)
	})
	for i, d := range letters() {
		if maps.Equal(d.asMap(), have) {
			return string("ab"[i])
		}
	}
	if len(have) == 0 {
		return "nothing"
	}
	return ""
}

func place(t *testing.T, dir string, own map[string]string) {
	for name, text := range own {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
}

// Whenever a run is killed, the folder holds one of the designs whole; with a folder of the user in it, which cannot be
// exchanged, it has no manifest else. The next run leaves nothing over, and what is the user's stays.
func TestKilledWrite(t *testing.T) {
	times := 25
	if os.Getenv("HPCCGEN_LONG") != "" {
		times = 400
	}
	for name, c := range map[string]struct {
		own   map[string]string
		whole bool
	}{
		"alone":              {nil, true},
		"files of the user":  {map[string]string{"rtl/mine.v": "m", "notes.txt": "n", "rtl/13.v": "13"}, true},
		"folder of the user": {map[string]string{"mine/deep/x": "m", "notes.txt": "n"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			parent := t.TempDir()
			dir := filepath.Join(parent, "out")
			place(t, dir, c.own)
			mixed := 0
			for range times {
				cmd := writer(t, dir, 0)
				time.Sleep(time.Duration(rand.IntN(15_000)) * time.Microsecond)
				require.NoError(t, cmd.Process.Kill())
				require.Error(t, cmd.Wait())
				if holds(t, dir, c.own) == "" {
					mixed++
					require.False(t, c.whole, "files of two designs: %v", contents(t, dir))
					require.NoFileExists(t, filepath.Join(dir, manifestName))
				}
				for name, text := range c.own {
					have, err := os.ReadFile(filepath.Join(dir, name))
					require.NoError(t, err)
					require.Equal(t, text, string(have))
				}
				if rand.IntN(3) > 0 {
					continue // and killed again before a run has swept
				}
				require.NoError(t, letters()[rand.IntN(2)].Write(dir))
				require.Contains(t, "ab", holds(t, dir, c.own))
				list, err := os.ReadDir(parent)
				require.NoError(t, err)
				require.Len(t, list, 1, "nothing is left over")
				list, err = os.ReadDir(dir)
				require.NoError(t, err)
				require.False(t, strings.HasPrefix(list[0].Name(), stageStart), "nothing is left over")
			}
			t.Logf("%d of %d killed in between", mixed, times)
		})
	}
}

// A run that ends while it moves files leaves no manifest, and the next one puts all in order.
func TestMovingEndsInBetween(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	a, b := letters()[0], letters()[1]
	require.NoError(t, a.Write(dir))
	place(t, dir, map[string]string{"rtl/b5.v/mine": "m"}) // has come since the folder was looked at
	f, err := openFolder(dir)
	require.NoError(t, err)
	m := mark{Tool: toolName, Folder: "out", Old: f.listed()}
	for _, file := range b.Files {
		m.New = append(m.New, file.Path)
	}
	require.ErrorContains(t, f.moveInto(b, m, nil), "b5.v")
	require.NoError(t, f.close(true))
	require.Empty(t, holds(t, dir, nil), "a mixture")
	assert.NoFileExists(t, filepath.Join(dir, manifestName))
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "rtl", "b5.v")))
	require.NoError(t, a.Write(dir))
	assert.Equal(t, "a", holds(t, dir, nil))
	left, err := filepath.Glob(filepath.Join(dir, stageStart+"*"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

// Of processes that write to one folder at once each finds it whole, and leaves it whole.
func TestTwoWriteAtOnce(t *testing.T) {
	parent := t.TempDir()
	for i := range 5 {
		dir := filepath.Join(parent, fmt.Sprint(i))
		var wait sync.WaitGroup
		for times := range 3 {
			cmd := writer(t, dir, 4+times)
			wait.Go(func() { assert.NoError(t, cmd.Wait()) })
		}
		wait.Wait()
		require.Contains(t, "ab", holds(t, dir, nil))
	}
	list, err := os.ReadDir(parent)
	require.NoError(t, err)
	assert.Len(t, list, 5, "nothing is left over")
}

// Only a stage with its mark is swept, by a run into its own folder.
func TestOnlyItsOwnIsSwept(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "out")
	own := []string{".hpccgen-out-12", ".hpccgen-out-more", ".hpccgen-", ".hpccgen-out-1-2"}
	for _, name := range own {
		place(t, parent, map[string]string{name + "/x": "x"})
	}
	place(t, parent, map[string]string{".hpccgen-out-34/" + markName: `{"tool":"hpccgen","folder":"other"}`,
		".hpccgen-out-34/fresh/x": "x", "out/.hpccgen-12/x": "x"})
	place(t, parent, map[string]string{".hpccgen-out-56/" +
		markName: `{"tool":"hpccgen","folder":"out","old":["../../victim"]}`, "victim": "v"})
	require.NoError(t, letters()[0].Write(dir))
	for _, name := range own {
		assert.FileExists(t, filepath.Join(parent, name, "x"))
	}
	assert.FileExists(t, filepath.Join(parent, ".hpccgen-out-34", freshName, "x"))
	assert.FileExists(t, filepath.Join(dir, ".hpccgen-12", "x"))
	assert.FileExists(t, filepath.Join(parent, "victim"))
	assert.NoDirExists(t, filepath.Join(parent, ".hpccgen-out-56"))
}

// Files that come to the old folder while the new one is made are not lost, nor changes of those that are there.
func TestLateFilesStay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	require.NoError(t, letters()[0].Write(dir))
	place(t, dir, map[string]string{"early.txt": "1", "changed.txt": "1"})
	f, err := openFolder(dir)
	require.NoError(t, err)
	m := mark{Tool: toolName, Folder: "out", Old: f.listed()}
	for _, file := range letters()[1].Files {
		m.New = append(m.New, file.Path)
	}
	carried, ok := f.exchangeable(m)
	require.True(t, ok)
	require.NoError(t, os.Remove(filepath.Join(dir, "changed.txt")))
	place(t, dir, map[string]string{"late.txt": "2", "rtl/late.v": "2"})
	done, err := f.exchange(letters()[1], m, carried[:1]) // changed.txt comes first; it is gone, so it cannot be carried
	require.NoError(t, err)
	require.False(t, done)
	require.Equal(t, []string{"changed.txt", "early.txt"}, carried)
	done, err = f.exchange(letters()[1], m, carried[1:])
	require.NoError(t, err)
	require.True(t, done)
	require.NoError(t, f.close(false))
	assert.Equal(t, "b", holds(t, dir, map[string]string{"early.txt": "1", "late.txt": "2", "rtl/late.v": "2"}))
}

// Nothing is written or removed through a symbolic link in the folder; the folder itself may be one.
func TestWriteFollowsNoLink(t *testing.T) {
	a, b := letters()[0], letters()[1]
	for _, link := range []string{"rtl", "docs", "rtl/a0.v", "manifest.json"} {
		parent := t.TempDir()
		dir, elsewhere := filepath.Join(parent, "out"), filepath.Join(parent, "elsewhere")
		require.NoError(t, a.Write(dir))
		require.NoError(t, os.Rename(filepath.Join(dir, link), elsewhere))
		require.NoError(t, os.Symlink(elsewhere, filepath.Join(dir, link)))
		read := func() string {
			var b strings.Builder
			require.NoError(t, filepath.WalkDir(parent, func(path string, e os.DirEntry, err error) error {
				if err == nil && e.Type().IsRegular() {
					text, _ := os.ReadFile(path)
					fmt.Fprintln(&b, path, string(text))
				}
				return err
			}))
			return b.String()
		}
		before := read()
		require.EqualError(t, b.Write(dir),
			filepath.Join(dir,
				link)+" is a symbolic link; files are written to and removed from "+dir+" alone: remove the link, or name another folder")
		assert.Equal(t, before, read())
	}
	parent := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(parent, "real"), 0o777))
	dir := filepath.Join(parent, "link")
	require.NoError(t, os.Symlink("real", dir))
	require.NoError(t, a.Write(dir))
	require.NoError(t, b.Write(dir))
	info, err := os.Lstat(dir)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&os.ModeSymlink)
	assert.Equal(t, "b", holds(t, dir, nil))
}

// A process that works in the folder stays in it.
func TestWriteWhereOneWorks(t *testing.T) {
	t.Chdir(t.TempDir())
	a, b := letters()[0], letters()[1]
	require.NoError(t, a.Write("."))
	require.NoError(t, b.Write("."))
	here, err := os.Getwd()
	require.NoError(t, err)
	assert.Equal(t, "b", holds(t, here, nil))
	assert.Equal(t, "b", holds(t, ".", nil))
}

// Two runs that come to a folder that another holds give up with a message.
func TestWriteWaits(t *testing.T) {
	dir := t.TempDir()
	f, err := openFolder(dir)
	require.NoError(t, err)
	_, err = lockFolder(dir, time.Now().Add(-lockPatience))
	require.EqualError(t, err, "another process has been writing to "+dir+" for 30s; try again when it has ended")
	require.NoError(t, f.close(false))
	f, err = lockFolder(dir, time.Now())
	require.NoError(t, err)
	require.NoError(t, f.close(false))
}
