import { schedule } from '@/core/schedule'
import { remindGuests } from './remind'

export const noticeSchedules = [
  schedule({ name: 'event-reminders', everyMs: 10 * 60_000, run: () => remindGuests() }),
]
