/** Work that repeats. However many workers there are it runs once per period, and a run that comes late or twice is no harm. */
export type Schedule = { name: string; everyMs: number; run: () => Promise<void> }

export const schedule = (definition: Schedule): Schedule => definition
