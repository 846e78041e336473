package localllm

// tokens estimates from above how many tokens a model makes of s. Measured were .27 to .33 tokens a character of
// English with three vocabularies of 32,000 to 152,000 words; .40 leaves room. Digits and marks are often tokens of
// their own, and a vocabulary that has no word for a script falls back on its bytes. What runs on for more than 24
// letters is no word that a vocabulary would have.
func tokens(s string) int {
	const letter, other, longWord = 40, 100, 24 // hundredths
	sum, run := 0, 0
	for i := range len(s) {
		c := s[i]
		isLetter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if run++; !isLetter {
			run = 0
		}
		if isLetter && run <= longWord || c == ' ' {
			sum += letter
		} else {
			sum += other
		}
	}
	return (sum + 99) / 100
}

// fitting gives the longest beginning of s, whole characters, that is not estimated at more than most tokens.
func fitting(s string, most int) string {
	low, high := 0, len(s)
	for low < high {
		if middle := (low + high + 1) / 2; tokens(s[:middle]) <= most {
			low = middle
		} else {
			high = middle - 1
		}
	}
	for low > 0 && low < len(s) && s[low]&0xc0 == 0x80 {
		low--
	}
	return s[:low]
}
