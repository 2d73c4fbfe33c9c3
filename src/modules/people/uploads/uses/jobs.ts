import { schedule } from '@/core/schedule'
import type { PicturePlace } from './queries'
import { noteUnused } from './unused'

const HOUR_MS = 60 * 60_000

/** Every file that is there to be used is looked at, so this is no sweep of every ten minutes. */
export const usesSchedules = (places: PicturePlace[]) => [
  schedule({ name: 'uses-of-uploads', everyMs: HOUR_MS, run: () => noteUnused(places) }),
]
