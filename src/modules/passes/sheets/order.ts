/** What a sheet is asked to show. */
export const KINDS = ['badges', 'stickers', 'checkin-poster'] as const
export type SheetKind = (typeof KINDS)[number]

export const PAPERS = ['a4', 'letter', 'avery-l7160', 'avery-5163', 'badge-86x54'] as const
export type SheetPaper = (typeof PAPERS)[number]

export type SheetCell = {
  name: string | null
  /** What stands for a name of which nothing can be drawn. */
  fallback?: string | null
  /** The upper-case address in the symbol. */
  url: string
  /** What stands under the symbol for people to read. */
  code: string
  /** A second line, such as a group. */
  line?: string | null
}

export type SheetOrder = {
  kind: SheetKind
  paper: SheetPaper
  /** The first free label of a sheet that was used before, from 1. */
  startAt: number
  title: string
  subtitle: string | null
  siteName: string
  cells: SheetCell[]
}

export type Sheet = {
  bytes: Uint8Array
  pages: number
  /** Characters that no font has, by the text in which they stand. */
  missing: { name: string; characters: string[] }[]
}
