package redact

// row is a form of personal data. What the groups of its expression match is masked.
type row struct {
	mask string // "" if the data must stay and no later row may match it
	expr string
	// What every match has, to save time.
	has   string // a part of the text
	signs string // of which the outline has one
	min   int    // the minimum number of digits
	// Names of kinds of words in words.txt. A word of one of the kinds in cue announces the data,
	// before it or after it; the sentence has all kinds in with; and the last cue before the data
	// is of none of the kinds in unless.
	cue, with, unless string
	reach             int  // how many words may be between the cue and the data, without fillers
	apart             int  // the same for unless
	within            bool // the data may begin within what matches
	// check returns the end of the data that starts at byte start, or 0 if it is something else.
	check func(t *text, start, end int) int
}

// wholeTurn is the reach of a cue that applies until another one follows.
const wholeTurn = 1 << 10

// textRows are read in the text itself, from the first to the last.
var textRows = []row{
	{mask: maskSecret, has: "-----BEGIN ",
		expr: `(-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[^-]|-[^-])*(?:-----END[A-Z ]{0,50}-----)?)`},
	{mask: maskSecret, has: "://", expr: `://([^\s/?#"<>@]+(?:@[^\s/?#"<>@]+)*)@`},
	{mask: maskSecret, has: "=", expr: `[?&;#](?i:{parameter})=([^&\s#"'<>()]+)`, check: isParameter},
	{mask: maskSecret, has: "eyJ", expr: `(?:^|[^\w.-])(eyJ[\w-]{8,}\.[\w.-]*\w)`},
	{mask: maskSecret, has: keyPrefix,
		expr: `(?:^|[^\w.-]|\.\s)((?:{prefix})[\w.-]{15,}\w)`},
	{mask: maskEmail, has: "@", expr: `([\pL\pN_](?:[\pL\pN._%+'&~-]*[\pL\pN_+-])?@` + domain + `)`},
	{mask: maskEmail, has: "@", expr: `((?:[\w.+-]+|"[^"\n]{1,64}")@(?:\[[\w:.]{2,50}\]|` +
		domain + `))`},
	{mask: maskEmail, has: "%40", expr: `([\pL\pN_](?:[\pL\pN._+'&~-]*[\pL\pN_])?%40` + domain + `)`},
	{mask: maskEmail, has: "&", expr: `([\pL\pN_][\pL\pN._%+'-]*(?:&#64;|&commat;)` + domain + `)`},
	{mask: maskEmail, has: spelledSigns, expr: `(?i)(` + spelledName + spelledAt + spelledDomain + `)`,
		check: isSpelledAddress},
	{mask: maskMAC, has: hostSigns, check: isMAC,
		expr: `(?i)(?:^|[^\w:.-])([0-9a-f]{2}(?:[:-][0-9a-f]{2}){5,7}|` +
			`[0-9a-f]{4}(?:\.[0-9a-f]{4}){2})(?:$|[^\w:-])`},
	{mask: maskIP, has: hostSigns, check: isIPv6,
		expr: `(?i)(?:^|[^\w:])([0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?:(?:\.\d{1,3}){3})?)(?:$|[^\w:])`},
}

// outlineRows are read in the outline.
var outlineRows = []row{
	{mask: maskAccount, expr: `(m)`, signs: "m", min: 8, check: isIBAN},
	{mask: maskID, expr: `([mu])`, signs: "mu", min: 6, check: isInsurance, unless: "harmless"},
	{mask: maskID, expr: `(m)`, signs: "m", min: 7, check: isSpanishID, unless: "harmless"},

	{mask: maskBirthdate, cue: "birth", reach: 7, expr: `(` + date + `)`, check: isDate},
	{mask: maskBirthdate, cue: "account id", with: "birth", expr: `(` + date + `)`, check: isDate},
	{mask: maskBirthdate, cue: "birthday", expr: `(` + date + `)`, check: isDate},
	{mask: maskBirthdate, cue: "birth birthday", expr: `(4|[12][./-][12])(?:$|[^1-9./-])`,
		check: isPartOfDate},
	{expr: `(?:^|[^1-9A-L./-])([12][./-][12][./-]4|4[./-][12][./-][12])(?:$|[^1-9A-L/-])`,
		signs: "4", min: 6, check: isDate},

	{mask: maskIP, cue: "address", reach: 12, expr: ip, signs: ".", min: 4, check: isIP},
	{mask: maskIP, expr: ip, signs: ".", min: 4, check: isPublicIP, unless: "version", apart: 6},
	{expr: ip, signs: ".", min: 4, check: isIP},

	{mask: maskSecret, cue: "pin", expr: `((?:[wu{unit}]-)?[1-9A](?:[ -][1-9]){0,9})`, check: isPIN},
	{mask: maskSecret, cue: "pin", expr: `(m)`, check: isPIN},
	{mask: maskSecret, cue: "pin", reach: 6, expr: `([3-8])`, check: isPIN, with: "copula"},
	{mask: maskSecret, cue: "code", with: "code sent", check: isPIN, expr: `([4-8]|3[ -]3)`},
	{mask: maskSecret, cue: "code contact", reach: 8, with: "code sent copula", check: isPIN,
		expr: `((?:[wu]-)?[4-8]|3[ -]3|2[ -]2[ -]2|m)`},

	{mask: maskCard, cue: "ending card", with: "ending card", expr: `(4|1 1 1 1)(?:$|[^1-9A-L./-])`},
	{mask: maskAccount, cue: "ending account", with: "ending account", expr: `(4|1 1 1 1)(?:$|[^ ])`},
	{mask: maskID, cue: "ending social id", with: "ending", expr: `(4|1 1 1 1)(?:$|[^ ])`},
	{mask: maskCard, cue: "expiry card", with: "expiry card", expr: `([12][/ -][24])(?:$|[^/-])`},
	{mask: maskCard, cue: "card", expr: `‹(4)›`, signs: "4", check: isNoYear},

	{mask: maskID, expr: `‹(3-2-4)›`, signs: "-", min: 9, check: isSocial, unless: "harmless"},
	{mask: maskID, cue: "social", expr: `‹(Ω)›`, check: isSocialNumber},
	{mask: maskMAC, cue: "mac", reach: 3, expr: `(m|C)`, check: isBareMAC},
	{mask: maskCard, signs: "4", min: 13, expr: `‹(4§4§4§4)`, check: isCard},
	{mask: maskCard, min: 13, expr: `(?:^|[^1-9A-Lm;|])(№(?:§№){0,18})`, within: true,
		check:  isCard,
		unless: "harmless"},
	{mask: maskCard, signs: "4", min: 13, check: isWholeCard,
		expr: `‹(4(?:§[1-6]){0,3}[^1-9A-L!#$]{1,8}[1-6](?:§[1-6]){0,3})›`},
	{mask: maskID, cue: "id", check: isCodedDocument,
		expr: `([^1-9A-L!#,:.?"() ][-./]?(?:№|m)(?:[-./ ]?(?:№|m)|[-./]u)*)`},
	{mask: maskID, cue: "id", check: isDocument,
		expr: `((?:№|m)(?:[-./ ]?(?:№|m)|[-./]u)*)`},
	{mask: maskAccount, cue: "account", expr: `‹(\(?Ω)›`, check: hasDigits(6, 40)},
	{mask: maskAccount, cue: "account", expr: `(m)`, check: hasDigits(6, 40)},

	{mask: maskPhone, expr: `(\(?\+\(?Ω)`, signs: "+", min: 7, check: isInternational},
	{mask: maskPhone, expr: `‹(Ω)›`, min: 10,
		check: isInternational, unless: "harmless"},
	{mask: maskPhone, expr: `‹(\(?№(?:§№){1,5})›`, min: 8, check: isNational, unless: "harmless"},
	{mask: maskPhone, expr: `‹([A-L])›`, signs: "ABCDEFGHIJKL", min: 10, check: isNational,
		unless: "harmless", apart: 6},
	{mask: maskPhone, expr: `‹(№(?:[ ,;_-]+№){2,14})›`, min: 7, check: isSpelled,
		unless: "harmless"},
	{mask: maskPhone, expr: `‹(3-4)›`, signs: "-", min: 7, check: isLocal,
		unless: "harmless", apart: 6},

	{mask: maskCard, cue: "card", reach: 12, expr: `‹(Ω)›`, min: 13, check: hasDigits(13, 19)},
	{mask: maskAccount, cue: "account", reach: wholeTurn, expr: `‹(\(?Ω)›`, min: 6,
		check: hasDigits(6, 40)},
	{mask: maskPhone, cue: "contact", reach: 12, expr: `‹(\(?Ω)›`, min: 7,
		check: hasDigits(7, maxNumber)},
	{mask: maskPhone, cue: "phone", reach: wholeTurn, expr: `‹(\(?Ω)›`, min: 7,
		check: hasDigits(7, maxNumber)},
}

// valueRows are read in the outline of values.
var valueRows = []row{
	{mask: maskSecret, cue: "key",
		expr: `[{key}][{filler}{key}{pin}{copula}:,"-]*([STLw])`, check: isKey},
	{mask: maskSecret, cue: "phrase", // passphrase: correct horse battery staple
		expr: `[{phrase}][{filler}]*[{copula}]*:[:"]*([^!\n",:]{3,8})(?:[!"\n]|$)`},
	{mask: maskSecret, cue: "phrase",
		expr: `[{phrase}][{filler}]*[{copula}][{filler}"]*([^!\n",:{plain}]{3,8})(?:[!"\n]|$)`},
	{mask: maskSecret, cue: "password", // password: "two words"
		expr: `[{password}][{filler}]*[{copula}:][{filler}{copula}:]*"([^"\n:]{2,8})"`},
	{mask: maskSecret, cue: "password", // changed my password from A to B
		expr: `[{password}][^!{cue}]{0,8}[{from}]"?([STL])"?,?[{to}]"?([ST])`},
	{mask: maskSecret, cue: "password",
		expr: `[{password}][^!{cue}]{0,8}[{from}]"?([ST])"?,?[{to}]"?(L)`},
	{mask: maskSecret, cue: "password", // my password was A, but now it is B
		expr: `[{password}][^!{cue}]{0,8}[{copula}:][{filler}:"]*([ST])"?` +
			`[^!{cue}]{0,5}[{copula}][{filler}:"]*([ST])`},
	{mask: maskSecret, cue: "password", // my password, which I set yesterday, is A
		expr: `[{password}](?:[^!\n{password harmless}][^!\n{password}]{0,13})?[{copula}:]` +
			`[{filler}{copula}:"]*([ST])`},
	{mask: maskSecret, cue: "password",
		expr: `[{password}][{filler}{password}{plain},:"]*(S)`},
	{mask: maskSecret, cue: "password",
		expr: `[{password}][{filler}]*[{copula}:][{filler}{copula}:"]*(L)"?(?:[!,\n{conjunction}]|$)`},
	{mask: maskSecret, cue: "password", // I changed it from A to B, my password
		expr: `[{from}]"?(S)"?,?[{to}]"?(S)"?,?[{filler}]*[wL]?[{password}]`},
	{mask: maskSecret, cue: "password", // it's A, that's my password
		expr: `([ST])"?,?[{filler}]*[{copula}{as}][{filler}{copula}]*[wL]?[{password}]`},
	{mask: maskSecret, cue: "password", // I tried A as my password
		expr: `[{typed}]"?(L)"?[{as}][{filler}]*[wL]?[{password}]`},
}

// answerRows are read in the outline of values if the turn before asks for a password and this one
// says nothing about passwords itself.
var answerRows = []row{
	{mask: maskSecret, expr: `^[^?]*\?[^ST]{0,12}([ST])`},
	{mask: maskSecret, expr: `^[^?]*\?[{filler copula plain conjunction ask},:"!]{0,8}(L)"?!?$`},
}

// Values of row.has that are not parts of a text.
const (
	keyPrefix    = "the prefix of a key"
	hostSigns    = "signs of a host"
	spelledSigns = "words for signs"
)

// Parts of the expressions.
const (
	domain     = `(?:[\pL\pN](?:[\pL\pN-]*[\pL\pN])?\.)+\pL[\pL\pN-]*[\pL\pN]`
	spelledDot = `(?:\.| ?[([{<] ?(?:\.|(?:{dot}))? ?[)\]}>] ?|` +
		` (?:{dot}) | ?-(?:{dot})- ?| ?_(?:{dot})_ ?| \. )`
	spelledName = `(?:(?:\pL ){2,12}|[\pL\pN._%+'-]*)[\pL\pN_](?:(?:` + spelledDot +
		`| (?:{sign}) )(?:(?:\pL ){2,12}\pL|[\pL\pN_+'-]+)){0,6}`
	spelledAt = `(?: ?[([{<] ?(?:@|a|{at}) ?[)\]}>] ?| ?@ ?|` +
		` (?:{at}) | ?-at- ?| ?_at_ ?)`
	spelledDomain = `(?:[\pL\pN-]+(?:` + spelledDot + `[\pL\pN][\pL\pN-]*){1,6}|` +
		`[\pL]+ (?:com|net|org|de|fr|es|it|co)\b)`
	date = `[12][./ -][12][./ -][24]|4[./ -][12][./ -][12]|` +
		`(?:[12]|m)[{filler}.,"/ -]{0,3}[{month}](?:[{filler},."/ -]{0,3}[24])?|` +
		`[{month}][. ]?(?:[12]|m)(?:,?[4])?`
	ip = `(?:^|[^.1-9A-Lm])([1-3]\.[1-3]\.[1-3]\.[1-3])(?:$|[^.1-9A-L])`
)
