package heuristics
import ("testing";"fmt")
func TestZZ(t *testing.T){
	a := newAgents(t)
	for _, d := range [][]string{
	{"USER: When does my parcel come?","SYSTEM: Your parcel arrives on Monday.","USER: Do I need to sign?","SYSTEM: No signature needed. Your parcel arrives on Thursday."},
	{"USER: Can I send it back?","SYSTEM: Our returns window is 30 days.","USER: How do I get the label?","SYSTEM: The page offers no label, since our window is 14 days."},
	{"USER: When does parcel 5517 get here?","SYSTEM: Parcel 5517 arrives on Monday.","USER: Okay. Between when and when?","SYSTEM: Parcel 5517 arrives on Thursday between 9 and 12."},
	{"USER: does the watch go under water","SYSTEM: The watch is waterproof.","USER: how deep?","SYSTEM: The watch is not waterproof, sorry if that was unclear."},
	{"USER: Is my voucher still ok?","SYSTEM: Your voucher expired on 30 September.","USER: Really?","SYSTEM: The voucher is valid until December."},
	}{
		s := analysisOf(a, talk(d...))
		var all []clause
		for i := range s.turns { if i%2==1 { for c := range clausesOf(s,i) { all=append(all,c) } } }
		for i := range all { for k := 0; k<i; k++ { x,y := &all[i],&all[k]; if x.turn==y.turn {continue}
			fmt.Println(s.turns[x.turn].text[s.turns[x.turn].tokens[x.first].start:], "differs",differs(s,x,y),"denies",denies(s,x,y),denies(s,y,x),"opp",opposes(s,x,y),"name",hasOtherName(s,x,y),hasOtherName(s,y,x),"moved",hasMovedOn(s,x,y), completes(s,x.turn), s.turns[x.turn].has.meets(&a.detectors[a.index["contradiction-itself"]].unless))
			for _, v := range s.valuesIn(x.passage) { fmt.Println(spell(s,&v), v.bound) }
			fmt.Println(len(headOf(s,x,small)),len(headOf(s,y,small)))
		} }
	}
}
