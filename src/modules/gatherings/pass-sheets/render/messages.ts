import type { Sheet, SheetCell, SheetOrder } from '@/modules/passes/sheets/render'

export type Heading = Omit<SheetOrder, 'cells'> & {
  /** Sorts by name; otherwise keeps the given order. */
  byName: boolean
  path: string
}

/** Messages to the child, in this order. */
export type ToChild = { heading: Heading } | { cells: SheetCell[] } | { draw: true }

export type Drawn = Omit<Sheet, 'bytes'> & { size: number }

/** Messages from the child. */
export type FromChild =
  | { done: number; total: number }
  | { drawn: Drawn }
  | { failed: string; isFull: boolean }
