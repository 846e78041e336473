package triage

import (
	"container/heap"
	"slices"
)

// Worst keeps the worst of the rows that it is given, by an order, and lets go of all others: it needs as much memory as
// it keeps.
type Worst struct {
	most int
	kept keptHeap
}

// NewWorst makes one that keeps most rows.
func NewWorst(most int, order Order) *Worst {
	return &Worst{most: most, kept: keptHeap{order: order}}
}

// Add takes a row in, or leaves it where there are enough that are worse.
func (w *Worst) Add(r Row) {
	heap.Push(&w.kept, r)
	if len(w.kept.list) > w.most {
		heap.Pop(&w.kept)
	}
}

// List gives what is kept, worst first.
func (w *Worst) List() []Row {
	list := slices.Clone(w.kept.list)
	slices.SortFunc(list, func(a, b Row) int { return w.kept.order.Compare(a.Place, b.Place) })
	return list
}

// keptHeap has at its root the one that goes next: the least bad. It implements [heap.Interface].
type keptHeap struct {
	order Order
	list  []Row
}

func (h *keptHeap) Len() int           { return len(h.list) }
func (h *keptHeap) Less(i, j int) bool { return h.order.Compare(h.list[i].Place, h.list[j].Place) > 0 }
func (h *keptHeap) Swap(i, j int)      { h.list[i], h.list[j] = h.list[j], h.list[i] }
func (h *keptHeap) Push(x any)         { h.list = append(h.list, x.(Row)) }
func (h *keptHeap) Pop() any {
	last := len(h.list) - 1
	r := h.list[last]
	h.list[last] = Row{} // lets go of the record
	h.list = h.list[:last]
	return r
}
