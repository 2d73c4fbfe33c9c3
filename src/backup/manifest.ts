import type { Shape, Sums } from '@/db/backup/contents'

/** Raised when an older release could not read what is written now. */
export const FORMAT = 1

/** What is known of a backup before anything of it was read. */
export type Start = { format: number; folkmoot: string; at: string }

export type Manifest = Start &
  Shape &
  Sums & {
    postgres: string
    /** Null where uploaded files were left out. */
    files: Files | null
    /** The SHA-256 of each list of checksums. */
    lists: string[]
  }

export type Files = { objects: number; bytes: number }

export const rowsIn = ({ counts }: Pick<Manifest, 'counts'>) =>
  Object.values(counts).reduce((sum, { rows }) => sum + rows, 0)
