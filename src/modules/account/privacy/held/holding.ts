import type { Column, Table } from '@/db/tables/columns'

/** How a row belongs to a person: by id, mail address, keyed hash of the mailbox, or another row of theirs. */
export type Owner =
  | { by: 'id' | 'address' | 'mailbox'; column: Column }
  | { by: 'row'; column: Column; of: Column; owner: Owner }

export const person = (column: Column): Owner => ({ by: 'id', column })
export const address = (column: Column): Owner => ({ by: 'address', column })
export const mailbox = (column: Column): Owner => ({ by: 'mailbox', column })
export const hanging = (column: Column, of: Column, owner: Owner): Owner => ({ by: 'row', column, of, owner })

/** Why an export omits a column. */
export const REASONS = {
  secret: 'a secret, or a hash of one',
  machinery: 'says how the work is done, and nothing about you',
  others: 'about another person',
  copy: 'a copy of what you were given when it was made',
} as const

export type Reason = keyof typeof REASONS

/** What account deletion does with a row. */
export const ERASURES = {
  deleted: 'deleted at once',
  unlinked: 'anonymized at once',
  ended: 'ended at once, deleted within minutes',
  aged: 'deleted at its age',
  kept: 'stays: it holds ids of ours, and no name',
} as const

/** Retention: until account deletion, until a sweep (`otherwise` without one), or until another event. */
export type Retention =
  | 'account'
  | 'always'
  | { sweeps: readonly string[]; otherwise?: 'account' }
  | { ms: number; after: string }

/** Whose names an export shows for ids: public people, or people the reader met. */
export type Naming = 'public' | 'met'

/** Objects whose names are shown beside their ids. */
export type Thing = 'event' | 'group' | 'badge' | 'app' | 'achievement' | 'design'

/** A table with personal data: its exported columns, retention and deletion. */
export type Holding = {
  table: Table
  /** Each relation of a row to a person, by its name in an export. */
  of: Record<string, Owner>
  why: string
  retention: Retention
  erased: keyof typeof ERASURES
  /** Exported columns, by their names in the code. */
  shown: readonly string[]
  /** All other columns, with the reason. */
  withheld: Record<string, Reason>
  /** Columns exported for only one of the row's people: that one's name in `of`. */
  shownTo?: Record<string, string>
  /** Other people by the column of their id, which is not exported. */
  people?: Record<string, Naming>
  things?: Record<string, Thing>
  /** Omitted in an application's export. */
  isPrivate?: true
  /** Why none of its rows are exported. */
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
