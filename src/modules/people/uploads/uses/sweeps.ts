import { sweep } from '@/core/sweep'
import type { PicturePlace } from './queries'
import { removeUnused, UNUSED_MS } from './unused'

export const usesSweeps = (places: PicturePlace[]) => [
  sweep({
    name: 'unused uploads',
    keeps: { ms: UNUSED_MS, after: 'the last use of a file' },
    run: () => removeUnused(places),
  }),
]
