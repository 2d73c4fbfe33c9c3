export const KINDS = ['badges', 'stickers', 'checkin-poster'] as const
export type SheetKind = (typeof KINDS)[number]

export const PAPERS = ['a4', 'letter', 'avery-l7160', 'avery-5163', 'badge-86x54'] as const
export type SheetPaper = (typeof PAPERS)[number]

export type SheetCell = {
  name: string | null
  /** Printed if no character of the name has a glyph. */
  fallback?: string | null
  /** Upper case, for the symbol. */
  url: string
  /** Human-readable code under the symbol. */
  code: string
  /** A second line, such as a group. */
  line?: string | null
}

export type SheetOrder = {
  kind: SheetKind
  paper: SheetPaper
  /** First free label of a partly used sheet, from 1. */
  startAt: number
  title: string
  subtitle: string | null
  siteName: string
  cells: SheetCell[]
}

export type Sheet = {
  bytes: Uint8Array
  pages: number
  /** Characters without a glyph, by text. */
  missing: { name: string; characters: string[] }[]
}
