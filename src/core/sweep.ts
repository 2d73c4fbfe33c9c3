import { ago } from './clock'

/** Repeating work. It runs once per period across all workers; a late or second run must be harmless. */
export type Schedule = { name: string; everyMs: number; run: () => Promise<void> }

export const schedule = (definition: Schedule): Schedule => definition

/** The retention period and its start. The sweep applies it and the documentation shows it. */
export type Keeping = { ms: number; after: string }

/** Counts marks of unfinished work. Metrics read it, so it must not depend on the size of the community. */
type CountMarks = () => Promise<number>

/**
 * Removes expired rows. It may run twice, late or concurrently, and deletes in slices (`db/delete-in-slices.ts`): one statement
 * for a million rows would hit its timeout every time.
 */
export type Sweep = { name: string; keeps?: Keeping; resumes?: CountMarks; run: () => Promise<void> }

type Definition = {
  name: string
  /** Absent if age does not matter, as for orphaned files. */
  keeps?: Keeping
  /** Resumes interrupted work, and runs more often than the other sweeps. */
  resumes?: CountMarks
  /** Receives the cutoff: older rows are expired. */
  run: (before: Date) => Promise<void>
}

export const sweep = ({ name, keeps, resumes, run }: Definition): Sweep => ({
  name,
  ...(keeps && { keeps }),
  ...(resumes && { resumes }),
  run: () => run(ago(keeps?.ms ?? 0)),
})
