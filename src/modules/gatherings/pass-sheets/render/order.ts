import type { Sheet, SheetCell, SheetOrder } from '@/modules/passes/sheets/render'

/** A sheet without its cells, which come after it. */
export type Heading = Omit<SheetOrder, 'cells'> & {
  /** Whether cells are sorted by name, or stay in the order in which they come. */
  byName: boolean
  /** Where the file is to be written. */
  path: string
}

/** What the child is told, in this order; cells come in portions. */
export type Told = { heading: Heading } | { cells: SheetCell[] } | { draw: true }

/** What came of it. */
export type Drawn = Omit<Sheet, 'bytes'> & { size: number }

/** What the child says. */
export type Said = { done: number; total: number } | { drawn: Drawn } | { failed: string; isFull: boolean }
