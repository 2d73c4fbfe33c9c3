/**
 * Removes rows that have served their time. It may run twice, late, or beside another, and deletes in slices
 * (`db/delete-in-slices.ts`): one statement for a million rows would run into its timeout, for ever.
 */
export type Sweep = { name: string; run: () => Promise<void> }

export const sweep = (definition: Sweep): Sweep => definition
