import type { events as english } from '../en/events'

export const events: typeof english = {
  online: 'Online',
  inPersonAndOnline: 'Vor Ort und online',
  andOnline: (venue) => `${venue}, und online`,
  cancelled: 'Abgesagt',
  over: 'Vorbei',
  now: 'Jetzt',
  draft: 'Entwurf',
  full: 'Ausgebucht',
  seatsLeft: (n) => (n === 1 ? 'Noch 1 Platz' : `Noch ${n} Plätze`),
  going: (n) => (n === 1 ? '1 Zusage' : `${n} Zusagen`),
  by: 'von',
}
