import { sweep } from '@/core/sweep'
import type { PicturePlace } from './queries'
import { removeUnused } from './unused'

export const usesSweeps = (places: PicturePlace[]) => [
  sweep({ name: 'unused uploads', run: () => removeUnused(places) }),
]
