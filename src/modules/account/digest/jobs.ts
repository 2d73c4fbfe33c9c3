import { schedule } from '@/core/schedule'
import { sendDigests } from './send'

export const digestSchedules = [
  // Some zones are a quarter of an hour apart.
  schedule({ name: 'weekly-digest', everyMs: 15 * 60_000, run: sendDigests }),
]
