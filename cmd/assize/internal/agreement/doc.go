// Package agreement measures how well scores agree with the ratings that people gave, and how well people agree
// among themselves. Its functions are pure, and the same input gives the same bits.
//
// What cannot be measured is NaN, never a false digit; every function says when. Who prints a NaN says why there is
// no figure.
//
// [Pairs], [Levels] and [Reliability] are made once and measured many times, as [Bootstrap] needs: each figure takes
// times, which says how often every case counts, so that a resample copies and sorts nothing. They keep scratch space
// and are not safe for concurrent use.
package agreement
