package heuristics

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assize/rubric"
	"assize/rubric/dialogue"
)

// inTurns reads a dialogue with one turn per line, by the USER and the SYSTEM alternately.
func inTurns(lines string) (d dialogue.Dialogue) {
	role := dialogue.User
	for line := range strings.Lines(strings.TrimSpace(lines)) {
		d.Turns = append(d.Turns, dialogue.Turn{Role: role, Text: strings.TrimSpace(line)})
		role = dialogue.User + dialogue.System - role
	}
	return d
}

func TestForeignDialogue(t *testing.T) {
	tests := []struct{ name, want, lines string }{
		{"Spanish", "in Spanish", `
			Hola, mi pedido no ha llegado.
			Buenos días, ¿me puede dar el número del pedido?
			Sí, es el 4471.
			Gracias. El paquete está en el almacén y llega mañana.
			¿Y por qué tarda tanto?
			Lo siento mucho, hay retrasos por la nieve.`},
		{"French", "in French", `
			Bonjour, je voudrais changer la date de mon vol.
			Bonjour, quel est le numéro de votre réservation ?
			C'est le 20914.
			Merci. Pour quelle date voulez-vous partir ?
			Le douze mai, avec ma femme.
			C'est fait, vous avez un mail avec les billets.`},
		{"German", "in German", `
			Guten Tag, meine Rechnung ist zu hoch.
			Guten Tag, wie ist Ihre Kundennummer?
			Das ist die 8812.
			Danke. Ich sehe, dass wir einen Anruf doppelt berechnet haben.
			Und was machen wir nun?
			Wir schreiben Ihnen den Betrag gut, das dauert zwei Tage.`},
		{"Italian", "in Italian", `
			Buongiorno, vorrei prenotare un tavolo per questa sera.
			Buongiorno, per quante persone?
			Siamo in quattro, alle otto.
			Mi dispiace, alle otto non abbiamo posto. Va bene alle nove?
			Sì, va bene, grazie.
			Perfetto, il tavolo è prenotato a suo nome.`},
		{"Portuguese", "in Portuguese", `
			Olá, o meu telefone não funciona.
			Bom dia, você já desligou o aparelho?
			Sim, mas não adiantou.
			Vou abrir um chamado para você, está bem?
			Está bem, quando vem o técnico?
			Ele vem na terça, entre as nove e as onze.`},
		{"Dutch", "in Dutch", `
			Goedemorgen, ik wil graag mijn abonnement opzeggen.
			Goedemorgen, wat is uw klantnummer?
			Dat is 5567.
			Dank u. Het abonnement loopt nog een maand, is dat goed?
			Ja, maar ik wil niet meer betalen.
			U krijgt een brief waar dat in staat.`},
		{"Polish", "in Polish", `
			Dzień dobry, nie mogę się zalogować do konta.
			Dzień dobry, czy ma pan nowe hasło?
			Tak, ale nie działa.
			Proszę kliknąć link, który jest w wiadomości.
			Już działa, dziękuję bardzo.
			Proszę bardzo, czy mogę jeszcze w czymś pomóc?`},
		{"Turkish", "in Turkish", `
			Merhaba, siparişim hâlâ gelmedi.
			Merhaba, sipariş numaranız nedir?
			Numara 3310.
			Teşekkürler, paket yarın teslim edilecek.
			Neden bu kadar geç?
			Kar için çok özür dileriz, yollar kapalı.`},
		{"Russian", "in Cyrillic script", `
			Здравствуйте, где мой заказ?
			Здравствуйте, назовите номер, пожалуйста.
			Номер 4471.
			Спасибо, он придёт завтра.
			Почему так долго?
			Извините, была метель.`},
		{"Arabic", "in Arabic script", `
			مرحبا، أين طلبي؟
			مرحبا، ما هو رقم الطلب من فضلك؟
			الرقم هو 4471.
			شكرا، سيصل غدا صباحا.
			لماذا تأخر؟
			نعتذر، كان الطقس سيئا.`},
		{"Chinese", "in Chinese, Japanese or Korean", `
			你好，我的包裹在哪里？
			您好，请告诉我订单号。
			是4471。
			谢谢，明天上午送到。
			为什么这么慢？
			很抱歉，因为下雪。`},
		{"Japanese", "in Chinese, Japanese or Korean", `
			こんにちは、荷物はどこですか。
			注文番号を教えてください。
			4471です。
			ありがとうございます。明日届きます。
			どうして遅いのですか。
			雪のためです。申し訳ありません。`},
		{"Hindi", "in Devanagari script", `
			नमस्ते, मेरा ऑर्डर कहाँ है?
			नमस्ते, कृपया ऑर्डर नंबर बताइए।
			नंबर 4471 है।
			धन्यवाद, वह कल आएगा।
			इतनी देर क्यों?
			माफ़ कीजिए, बर्फ़ गिरी थी।`},
		{"mostly Spanish", "in Spanish", `
			Hello, hola, ¿me pueden ayudar con mi pedido?
			Claro que sí, ¿cuál es el número?
			El número es 4471, order number 4471.
			Gracias, el paquete está en camino y llega mañana por la tarde.
			Ok, thank you, pero lo necesito para hoy.
			Lo siento mucho, no es posible porque el almacén ya está cerrado.`},
	}
	a := newAgents(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := a.Observe(inTurns(tt.lines))
			var unscored *rubric.Unscored
			require.True(t, errors.As(err, &unscored), "it was taken for English")
			assert.Contains(t, unscored.Reason, tt.want)
		})
	}
}

// A dialogue needs a request, and two sentences show a language.
func TestNothingToJudge(t *testing.T) {
	const greeting, mostly = "the USER says nothing but a greeting", "the dialogue is mostly in "
	a := newAgents(t)
	for _, tt := range []struct{ lines, want string }{
		{"Hi\nHello, how may I assist you?", greeting},
		{"Good morning, is anyone there?\nYes! What is it about?\nhello Anna\nHello!", greeting},
		{"Hi, my parcel\nWhat about it?", ""},
		{"hey, I need it\nWhat do you need?", ""},
		{"Hi\nHello!\nWhere is it?\nAt the depot.", ""},
		{"Wann kommt mein Paket?\nHeute um 18 Uhr.", mostly + "German"},
		{"Où est ma facture ?\nElle est dans votre compte.", mostly + "French"},
		{"¿Dónde está mi maleta?\nLlega mañana.", mostly + "Spanish"},
		{"Die Hard tonight?\nAt 20:15, hall 3.", ""},
		{"Paris to Lyon\nTGV 6607, 09:58, 74 EUR", ""},
	} {
		_, err := a.Observe(inTurns(tt.lines))
		if tt.want == "" {
			assert.NoError(t, err, tt.lines)
		} else {
			assert.ErrorContains(t, err, tt.want, tt.lines)
		}
	}
}

func TestEnglishDialogue(t *testing.T) {
	tests := []struct{ name, lines string }{
		{"next to nothing", "No.\nOk"},
		{"one foreign word each", "Hola\nHola"},
		{"a greeting in Spanish", "Hola, buenos días\nHello, how can I help you?"},
		{"names and an address", `
			Calle de la Luna 5, Madrid
			El Rincón de la Abuela, Plaza de los Santos 3
			Which bus goes there?`},
		{"codes and times", "TR5694\n09:24\nTR1280, 10:15\nTR9031"},
		{"titles",
			"Amélie\nDo you know La vie en rose?\nNo. Le fabuleux destin d'Amélie Poulain\nLes Misérables is good"},
		{"English leads", `
			Can I talk to somebody in Spanish? Necesito ayuda con mi pedido.
			Sure, one moment please. What is the number of your order?
			It is 4471, gracias.
			Thank you, it will be with you tomorrow. Is there anything else?
			No, eso es todo, muchas gracias.
			You are welcome, have a nice day.`},
	}
	a := newAgents(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := a.Observe(inTurns(tt.lines))
			assert.NoError(t, err)
		})
	}
}

// Turns that are not judged have no language.
func TestLanguageOfOthers(t *testing.T) {
	d := inTurns("Where is it?\nIt comes tomorrow.")
	other := dialogue.Turn{Role: dialogue.Other,
		Text: "le colis est dans le dépôt et il est pour vous, merci de votre patience avec nous"}
	d.Turns = append(d.Turns, other)
	_, err := newAgents(t).Observe(d)
	assert.NoError(t, err)
}
