import type { when as english } from '../en/when'

export const when: typeof english = {
  near: { [-1]: 'Gestern', 0: 'Heute', 1: 'Morgen' },
  at: (day, clock) => `${day}, ${clock} Uhr`,
  hours: ' Uhr',
  until: 'bis',
}
