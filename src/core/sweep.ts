import { ago } from './clock'

/** How long rows stay, after what. Documentation is made of it, and the sweep goes by it. */
export type Keeping = { ms: number; after: string }

/**
 * Removes rows that have served their time. It may run twice, late, or beside another, and deletes in slices
 * (`db/delete-in-slices.ts`): one statement for a million rows would run into its timeout, for ever.
 */
export type Sweep = { name: string; keeps?: Keeping; resumes?: true; run: () => Promise<void> }

type Definition = {
  name: string
  /** Absent where nothing has an age, such as files of nobody. */
  keeps?: Keeping
  /** Continues work that was interrupted, and runs more often than the others. */
  resumes?: true
  /** Is told before which moment that must have been. */
  run: (before: Date) => Promise<void>
}

export const sweep = ({ name, keeps, resumes, run }: Definition): Sweep => ({
  name,
  ...(keeps && { keeps }),
  ...(resumes && { resumes }),
  run: () => run(ago(keeps?.ms ?? 0)),
})
