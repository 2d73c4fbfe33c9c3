/** Words of time. */
export const when = {
  /** Days by how far they are away. */
  near: { [-1]: 'Yesterday', 0: 'Today', 1: 'Tomorrow' } as Record<number, string>,
  at: (day: string, clock: string) => `${day}, ${clock}`,
  /** What follows a time of day. */
  hours: '',
  until: 'until',
}
