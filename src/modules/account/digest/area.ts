import { schedule } from '@/core/schedule'
import { weeklyDigestLetter } from './letters'
import { sendDigests } from './send'

export const digestArea = {
  schedules: [
    // Some zones differ by a quarter of an hour.
    schedule({ name: 'weekly-digest', everyMs: 15 * 60_000, run: sendDigests }),
  ],
  letters: [weeklyDigestLetter],
}
