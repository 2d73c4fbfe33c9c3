import { schedule } from '@/core/schedule'
import { eventLetters } from './letters'
import { noticeListeners } from './listeners'
import { remindGuests } from './remind'

export const noticesArea = {
  schedules: [schedule({ name: 'event-reminders', everyMs: 10 * 60_000, run: () => remindGuests() })],
  letters: eventLetters,
  listeners: noticeListeners,
}
