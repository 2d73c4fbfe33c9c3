/** Dates and times. */
export const when = {
  /** Relative days. */
  near: { [-1]: 'Yesterday', 0: 'Today', 1: 'Tomorrow' } as Record<number, string>,
  at: (day: string, clock: string) => `${day}, ${clock}`,
  /** Follows a time of day. */
  hours: '',
  until: 'until',
}
