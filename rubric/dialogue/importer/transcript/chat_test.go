package transcript

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"assize/rubric/dialogue/importer/stream"
)

func TestNotices(t *testing.T) {
	for text, want := range map[string]string{
		"Messages and calls are end-to-end encrypted. Only people in this chat can read, listen " +
			"to, or share them.": "",
		"\u200eMessages and calls are end-to-end encrypted. No one outside of this chat can " +
			"read them.": "",
		"Nachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt. Niemand sonst kann sie lesen.": "",
		"Los mensajes y las llamadas están cifrados de extremo a extremo. Nadie puede leerlos.": "",
		"Mesajlar ve aramalar uçtan uca şifrelidir. Hiç kimse okuyamaz.":                        "",
		"This message was deleted":                        "",
		"This message was deleted by admin Al":            "",
		"Diese Nachricht wurde gelöscht.":                 "",
		"Se eliminó este mensaje.":                        "",
		"Bu mesaj silindi":                                "",
		"このメッセージは削除されました。":                                "",
		"\u200eYou deleted this message.":                 "",
		"<Media omitted>":                                 "",
		"<Medien ausgeschlossen>":                         "",
		"<Arquivo de mídia oculto>":                       "",
		"<attached: 0001-AUDIO.opus>":                     "",
		"<adjunto: 0001-PHOTO.jpg>\nthe photo":            "\nthe photo",
		"IMG-2021.jpg (Datei angehängt)":                  "",
		"IMG-20240101-WA0001.jpg (xyz zyx)":               "",
		"scan (1) of May.pdf (file attached)":             "",
		"a.jpg (archivo adjunto)\nlook":                   "\nlook",
		"image omitted":                                   "",
		"bill.pdf • \u200e2 pages \u200edocument omitted": "",
		"Bild weggelassen":                                "",
		"vidéo absente":                                   "",
		"Voice call, 3 min":                               "",
		"Verpasster Sprachanruf":                          "",
		"no <This message was edited>":                    "no",
		"nein <Diese Nachricht wurde bearbeitet.>":        "nein",

		"I read: This message was deleted. Why?": "I read: This message was deleted. " +
			"Why?",
		"Are messages and calls end-to-end encrypted?": "Are messages and calls end-to-end " +
			"encrypted?",
		"hi\nMessages and calls are end-to-end encrypted.": "hi\nMessages and calls are " +
			"end-to-end encrypted.",
		"see report.pdf (the second one)": "see report.pdf (the second one)",
		"I see the document omitted":      "I see the document omitted",
		"<3":                              "<3",
		"code:\n<div class=a>\n<p id=b>":  "code:\n<div class=a>\n<p id=b>",
		"<b>bold</b> <i>words</i>":        "<b>bold</b> <i>words</i>",
		"Voice call, please":              "Voice call, please",
	} {
		assert.Equal(t, want, withoutNotices(text), text)
	}
}

// Lines with names and times are above the words only if two people write, and one writes again:
// otherwise they may be a list.
func TestHasHeads(t *testing.T) {
	const ann, bob = "Ann Lee\t10:15\nWhere is it?\n", "Bob Day\t10:16\nOn its way.\n"
	for text, want := range map[string]bool{
		ann + bob + ann: true,
		ann + bob:       false,
		ann + ann:       false,
		ann + bob + ann + "[10:17] Bob: a\n[10:18] Ann: b\n[10:19] Bob: c\n": false,
	} {
		assert.Equal(t, want, hasHeads(stream.NewNames(stream.Options{}), text), text)
	}
}
