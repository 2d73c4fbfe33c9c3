import { schedule } from '@/core/schedule'
import type { PicturePlace } from './queries'
import { respell } from './respell'
import { noteUnused } from './unused'

const HOUR_MS = 60 * 60_000

async function tidy(places: PicturePlace[]): Promise<void> {
  await noteUnused(places)
  await respell(places)
}

/** Every file that is there to be used is looked at, so this is no sweep of every ten minutes. */
export const usesSchedules = (places: PicturePlace[]) => [
  schedule({ name: 'uses-of-uploads', everyMs: HOUR_MS, run: () => tidy(places) }),
]
