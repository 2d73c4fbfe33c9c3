import { schedule } from '@/core/schedule'
import type { PicturePlace } from './queries'
import { respell } from './respell'
import { noteUnused } from './unused'

const HOUR_MS = 60 * 60_000

async function tidy(places: PicturePlace[]): Promise<void> {
  await noteUnused(places)
  await respell(places)
}

/** Scans all usable files, so it does not run with the regular sweeps. */
export const usesSchedules = (places: PicturePlace[]) => [
  schedule({ name: 'uses-of-uploads', everyMs: HOUR_MS, run: () => tidy(places) }),
]
