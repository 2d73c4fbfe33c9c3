import { schedule } from '@/core/schedule'
import { removeNobodys } from './remove/nobodys'

const SIX_HOURS_MS = 6 * 60 * 60_000

/** All files are read through, so this is no sweep of every ten minutes. */
export const uploadSchedules = [
  schedule({ name: 'files-of-nobody', everyMs: SIX_HOURS_MS, run: () => removeNobodys() }),
]
