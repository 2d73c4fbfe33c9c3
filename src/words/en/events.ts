/** Events: lists of them, and the page of one. */
export const events = {
  online: 'Online',
  inPersonAndOnline: 'In person and online',
  andOnline: (venue: string) => `${venue}, and online`,
  cancelled: 'Cancelled',
  over: 'Over',
  now: 'Now',
  draft: 'Draft',
  full: 'Full',
  seatsLeft: (n: number) => (n === 1 ? '1 seat left' : `${n} seats left`),
  going: (n: number) => (n === 1 ? '1 person is going' : `${n} are going`),
  by: 'by',
}
