/** Repeating work. It runs once per period across all workers; a late or second run must be harmless. */
export type Schedule = { name: string; everyMs: number; run: () => Promise<void> }

export const schedule = (definition: Schedule): Schedule => definition
