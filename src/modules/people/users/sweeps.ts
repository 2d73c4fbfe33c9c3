import { sweep } from '@/core/sweep'
import { countAroundAll } from './follower-counts/count'

/** Removes marks that followers are to be counted, by counting them, in portions. */
export const userSweeps = [
  sweep({
    name: 'follower counts',
    keeps: { ms: 0, after: 'the counts are right' },
    resumes: true,
    run: () => countAroundAll(),
  }),
]
