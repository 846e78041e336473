// Package page draws the picture of a run as one HTML file, which opens offline, on any screen and on paper.
//
// Everything is in the file: figures as tables, which are there without a script and for those who do not see the
// charts; the data as JSON, from which a script draws charts and the list of dialogues; and the transcripts of some
// dialogues. Nothing is asked of any server: a Content-Security-Policy in the file forbids it, and lets run only the two
// scripts whose digests it names.
//
// What was said in a dialogue was written by strangers. It passes [report.Visible] and enters the file only as JSON
// whose "<" is escaped, or through html/template; the script puts it on the page only as text.
//
// The charts are drawn by Observable Plot, which plot/build.mjs bundles into assets/plot.min.js, with its licence.
//
// The same records give the same bytes: no clock, no path of the machine and no chance enters a page.
package page
