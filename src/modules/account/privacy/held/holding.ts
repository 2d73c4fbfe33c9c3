import type { Column, Table } from '@/db/tables/columns'

/** By what a row is somebody's: their id, their mail address, the keyed hash of their mailbox, or a row that is theirs. */
export type Owner =
  | { by: 'id' | 'address' | 'mailbox'; column: Column }
  | { by: 'row'; column: Column; of: Column; owner: Owner }

export const person = (column: Column): Owner => ({ by: 'id', column })
export const address = (column: Column): Owner => ({ by: 'address', column })
export const mailbox = (column: Column): Owner => ({ by: 'mailbox', column })
export const hanging = (column: Column, of: Column, owner: Owner): Owner => ({ by: 'row', column, of, owner })

/** Why a column is not in an export. */
export const REASONS = {
  secret: 'a secret, or a hash of one',
  machinery: 'says how the work is done, and nothing about you',
  others: 'about somebody else',
  told: 'a copy of what you were given when it was made',
} as const

export type Reason = keyof typeof REASONS

/** How a row goes when its person deletes their account. */
export const ERASURES = {
  deleted: 'deleted at once',
  unlinked: 'nobody’s at once',
  ended: 'ended at once, deleted within minutes',
  aged: 'deleted at its age',
  kept: 'stays: it holds ids of ours, and no name',
} as const

/**
 * How long a row is there: as long as its person wants, as long as the sweeps say (`otherwise` where they never come), or a
 * time that something else ends.
 */
export type Kept =
  | 'account'
  | 'always'
  | { sweeps: readonly string[]; otherwise?: 'account' }
  | { ms: number; after: string }

/** Whose name stands for an id, where the reader may know them: anyone's who is public, or of whom they met. */
export type Naming = 'public' | 'met'

/** Things whose names stand beside their ids. */
export type Thing = 'event' | 'group' | 'badge' | 'app' | 'achievement' | 'design'

/** A table that holds something about people: what of it they are given, how long it is there, and how it goes. */
export type Holding = {
  table: Table
  /** Each way in which a row is about a person, by the name that an export calls them there. */
  of: Record<string, Owner>
  why: string
  kept: Kept
  erased: keyof typeof ERASURES
  /** Columns that are in an export, by their names in the code. */
  shown: readonly string[]
  /** All the others, with the reason. */
  withheld: Record<string, Reason>
  /** Columns that are in an export of only one of the people that the row is about: the name of that one in `of`. */
  shownTo?: Record<string, string>
  /** Other people, by the column of their id, which is not told. */
  people?: Record<string, Naming>
  things?: Record<string, Thing>
  /** For the person alone: an application that asks for an export is not told. */
  isPrivate?: true
  /** Why no row of it is in an export. */
  leftOut?: string
}

type ColumnOf<T extends Table> = keyof T['_']['columns'] & string

type Given<T extends Table> = Omit<Holding, 'shown' | 'withheld' | 'shownTo' | 'people' | 'things'> & {
  table: T
  shown?: readonly ColumnOf<T>[]
  withheld?: Partial<Record<ColumnOf<T>, Reason>>
  shownTo?: Partial<Record<ColumnOf<T>, string>>
  people?: Partial<Record<ColumnOf<T>, Naming>>
  things?: Partial<Record<ColumnOf<T>, Thing>>
}

export const holding = <T extends Table>({ shown = [], withheld = {}, ...given }: Given<T>): Holding =>
  ({ ...given, shown, withheld }) as Holding
