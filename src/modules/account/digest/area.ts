import { schedule } from '@/core/schedule'
import { weeklyDigestLetter } from './letters'
import { sendDigests } from './send'

export const digestArea = {
  schedules: [
    // Some zones are a quarter of an hour apart.
    schedule({ name: 'weekly-digest', everyMs: 15 * 60_000, run: sendDigests }),
  ],
  letters: [weeklyDigestLetter],
}
