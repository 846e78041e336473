package main

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// openBrowser starts a headless Chromium: the one named by ASSIZE_TEST_BROWSER, or one that is
// installed. It skips the test if there is none.
func openBrowser(t *testing.T) context.Context {
	t.Helper()
	path := os.Getenv("ASSIZE_TEST_BROWSER")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome",
		"google-chrome-stable"} {
		if found, err := exec.LookPath(name); path == "" && err == nil {
			path = found
		}
	}
	if path == "" {
		t.Skip("no Chromium is installed, so nobody looks at pages as a browser shows them; want chromium, or its path in ASSIZE_TEST_BROWSER")
	}
	options := append(
		chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.DisableGPU,
		chromedp.NoSandbox,                  // which works neither in a container nor as root
		chromedp.WSURLReadTimeout(patience)) // it starts slowly while a compiler runs
	alloc, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(alloc)
	t.Cleanup(cancel)
	require.NoError(t, chromedp.Do(ctx), "the browser starts")
	return ctx
}

// look describes how a page is viewed.
type look struct {
	width, height int
	dark, print   bool
	noScript      bool
}

// patience is the time limit for any action of the browser.
const patience = 2 * time.Minute

// sight is a page in its own tab, with the events that the browser reports.
type sight struct {
	t       *testing.T
	ctx     context.Context
	address string

	mu       sync.Mutex
	requests []string // requests other than for the file itself
	told     []string // console messages and exceptions
}

// openPage opens a file.
func openPage(t *testing.T, browser context.Context, file string, l look) *sight {
	t.Helper()
	path, err := filepath.Abs(file)
	require.NoError(t, err)
	return openAddress(t, browser, (&url.URL{Scheme: "file", Path: path}).String(), l)
}

// openAddress opens a page, in a browser context of its own if the options say so.
func openAddress(t *testing.T, browser context.Context, address string, l look,
	options ...chromedp.ContextOption,
) *sight {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser, options...)
	t.Cleanup(cancel)
	s := &sight{t: t, ctx: ctx, address: address}
	require.NoError(t, chromedp.Do(ctx))
	require.NoError(t, chromedp.Listen(ctx, s.note))
	require.NoError(t, chromedp.Do(ctx, l.emulate, chromedp.Navigate(s.address)))
	return s
}

// emulate applies the view to a tab.
func (l look) emulate(ctx context.Context, tab *chromedp.Target) (chromedp.Void, error) {
	var none chromedp.Void
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "light"}, {Name: "prefers-reduced-motion", Value: "reduce"}}}
	if l.dark {
		media.Features[0].Value = "dark"
	}
	if l.print {
		media.Media = "print"
	}
	if _, err := cdp.Call(ctx, tab, emulation.SetEmulatedMedia, media); err != nil {
		return none, err
	}
	if _, err := cdp.Call(ctx, tab, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: l.noScript}); err != nil {
		return none, err
	}
	_, err := cdp.Call(ctx, tab, emulation.SetDeviceMetricsOverride,
		emulation.SetDeviceMetricsOverrideParams{
			Width: int64(l.width), Height: int64(l.height), DeviceScaleFactor: 1,
			Mobile: l.width < 500,
		})
	return none, err
}

// note records the events that tests ask about.
func (s *sight) note(event any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if e.Request.URL != s.address {
			s.requests = append(s.requests, e.Request.URL)
		}
	case *log.EventEntryAdded:
		s.told = append(s.told, e.Entry.Text)
	case *runtime.EventConsoleAPICalled:
		s.told = append(s.told, string(e.Type))
	case *runtime.EventExceptionThrown:
		s.told = append(s.told,
			(&chromedp.ExceptionError{ExceptionDetails: e.ExceptionDetails}).Error())
	}
}

// heard returns the requests and messages so far.
func (s *sight) heard() (requests, told []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests), slices.Clone(s.told)
}

// ask evaluates a JavaScript expression.
func ask[T any](s *sight, expression string) T {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	require.NoError(s.t, err, expression)
	return v
}

// do performs actions.
func (s *sight) do(actions ...chromedp.Action[chromedp.Void]) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	require.NoError(s.t, chromedp.Do(ctx, actions...))
}

// until waits for an expression to become true. It asks again if the page is left in the meantime.
func (s *sight) until(expression string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	for {
		is, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression))
		if err == nil && is {
			return
		}
		select {
		case <-ctx.Done():
			require.Fail(s.t, "this never came true", "%s: %v", expression, err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// keep writes a screenshot into the folder ASSIZE_SCREENSHOTS, if that is set.
func (s *sight) keep(name string) {
	s.t.Helper()
	folder := os.Getenv("ASSIZE_SCREENSHOTS")
	if folder == "" {
		return
	}
	png, err := chromedp.Run(s.ctx, chromedp.FullScreenshot(100))
	require.NoError(s.t, err)
	require.NoError(s.t, os.WriteFile(filepath.Join(folder, name+".png"), png, 0o666))
}
