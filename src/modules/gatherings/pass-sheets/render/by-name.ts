import type { SheetCell } from '@/modules/passes/sheets/render'

const { compare } = new Intl.Collator('en')

/** By the last word of the name, as lists at a door are; equal ones by the whole name, and then as they came. */
export function byName(cells: readonly SheetCell[]): SheetCell[] {
  const keyed = cells.map((cell) => ({ cell, name: cell.name ?? '', last: lastWord(cell.name ?? '') }))
  keyed.sort((a, b) => compare(a.last, b.last) || compare(a.name, b.name))
  return keyed.map(({ cell }) => cell)
}

const lastWord = (name: string) => name.trim().split(/\s+/u).at(-1) ?? ''
