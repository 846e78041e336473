package localllm

import "slices"

// KindDoc says what a failure or a flag means.
type KindDoc struct {
	ID    string
	Title string // a clause
	Why   string // sentences: how it comes about
	Then  string // sentences: what is done about it, and what the user can do
}

// FailureKinds documents every failure.
func FailureKinds() []KindDoc { return slices.Clone(failureDocs[:]) }

// Flags documents what an account can say of answers that came and are to be doubted.
func Flags() []KindDoc { return slices.Clone(flagDocs[:]) }

var failureDocs = [...]KindDoc{
	{"bad-options", "the options contradict themselves or the model", "A number is out of range, or the rubric does not leave enough of the context for a dialogue.", "Nothing is sent. The message says what would be right."},
	{"remote-address", "the server's address is not on this machine", "Transcripts would leave the machine.", "Nothing is sent unless --allow-remote is given. A name that leads elsewhere is noticed when it is dialled."},
	{"remote-model", "the server would pass the transcripts on to another machine", "Newer servers list models that run on a host elsewhere.", "Nothing is sent unless --allow-remote is given. Choose a model that is installed here."},
	{"server-down", "no server answers", "It is not started, or it was stopped.", "It is waited for, with growing pauses, as long as --model-patience says; later dialogues of the same run are not kept waiting again. Start it with: ollama serve"},
	{"not-ollama", "something answers that is no Ollama server", "A web page or other text came where JSON must come, as from a proxy or another program on the port.", "Not asked again. Check the address."},
	{"redirected", "the server sends the request elsewhere", "A redirection could lead off the machine.", "It is not followed. Give the address that it leads to, if that is yours."},
	{"model-absent", "the server does not have the model", "It was never pulled, or it was removed during the run.", "Not asked again. The message lists what is there; ollama pull NAME gets it."},
	{"digest-differs", "the model is another than the one asked for", "Its name is the same, its contents are not: it was pulled or made again.", "Nothing is judged by it, so that no run mixes two models. Ask for the digest that the message gives, or get the old one back."},
	{"no-template", "the model has no chat template", "Without one it continues the transcript instead of judging it, and under a schema still gives well-formed answers: all of them 100.", "Not used. Take an instruct or chat model, or give the model a TEMPLATE with its roles."},
	{"slow-load", "the model did not load in time", "It is large, the disk is slow, or the memory is full.", "Load it beforehand with: ollama run NAME; or give a longer --model-timeout."},
	{"timed-out", "no whole answer came in time", "The machine is busy, or has fewer idle cores than --num-thread.", "Not asked again, since it would take as long. Give a longer --model-timeout or fewer threads."},
	{"http-4xx", "the server refuses the request", "The message is the server's.", "Not asked again: the same request fails in the same way."},
	{"http-5xx", "the server failed", "The model's runner crashed, memory ran out, or the server is overloaded. The message is the server's.", "Asked again twice, each time after a pause and a new beginning."},
	{"connection-cut", "the connection broke before the answer was whole", "The server was stopped or crashed.", "Asked again twice, each time after a pause and a new beginning; a server that is gone is waited for."},
	{"no-done", "the answer ended without saying that it was whole", "The server stopped in the middle without an error.", "Asked again twice, each time after a pause and a new beginning."},
	{"empty-answer", "the model answered nothing", "It ended at once, or spent its whole answer on thinking aloud.", "Each criterion is asked for by itself; what is still missing then leaves the dialogue unscored."},
	{"cut-answer", "the answer was longer than it may be", "num_predict was reached, so what came is a piece, even where it can be read.", "Asked again once with twice as many tokens, then each criterion by itself."},
	{"endless-answer", "the answer does not end", "The server sends far more than num_predict allows, or a line of over 512,000 bytes.", "The connection is closed. Each criterion is asked for by itself."},
	{"not-json", "the answer is not the JSON that was asked for", "The server ignores the schema, or silently drops one that it cannot use (version 0.6.5 drops grammars of over 32 KB).", "Each criterion is asked for by itself; what is still missing then leaves the dialogue unscored."},
	{"missing-criterion", "the answer leaves a criterion out", "The schema was not held.", "The criterion is asked for by itself."},
	{"off-scale", "a score is none of 20, 40, 60, 80 and 100", "The schema was not held.", "The criterion is asked for by itself. Nothing is rounded."},
	{"no-such-turn", "the answer cites a turn that cannot be cited", "It does not exist, cannot be quoted, was kept from the model, or is the USER's where the SYSTEM's words are judged.", "The criterion is asked for by itself."},
	{"prompt-truncated", "the server did not read the whole prompt", "Servers cut long prompts silently and lose the rubric. The number of tokens that the server counted tells.", "The dialogue is judged once more in windows of half the size."},
	{"too-long", "the dialogue does not fit into the context", "Only with --on-overflow refuse, or where it would take more than 16 windows; otherwise it is judged in windows.", "Give a larger --num-ctx, or let it be judged in windows."},
	{"cancelled", "the run was stopped", "By the user.", "The dialogue is not recorded; a resumed run judges it."},
}

var flagDocs = [...]KindDoc{
	{"suspicious", "a turn speaks to the judge, or hides characters", "A safety detector fired there.", "The model sees [text removed] instead of the turn and cannot cite it, and the model Critic stays silent, so that nothing that the turn says decides what is sent. The rules judge as always."},
	{"windows", "the dialogue was judged in overlapping parts", "It does not fit into the context as a whole.", "TaskSuccess is taken from the last part, the other scores are means weighted by turns. Give a larger --num-ctx to judge it whole."},
	{"shortened", "the model saw only the beginning of a turn", "The turn alone would fill half of the context.", "Give a larger --num-ctx."},
	{"flat", "all six scores are equal", "Small models often answer so, whatever they read.", "Trust the rules more than the model here."},
	{"counting", "the cited turns just count upwards", "Six turns in strictly rising order come by chance once in 720 answers; a model that counts did not look.", "The scores deserve as little trust."},
	{"unstable", "a score depends on the order in which the criteria were presented", "Repeats of the same dialogue differ by two levels or more.", "The median stands. Read the dialogue yourself."},
	{"constant", "every dialogue of the run got the same six scores", "The model does not read what it judges, or has no chat template.", "Use another model; assize doctor tries one."},
}
