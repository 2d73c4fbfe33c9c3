import { sweep } from '@/core/sweep'
import { fillAll } from './waitlist'

/** Continues promotions that were interrupted, in portions. */
export const waitlistSweeps = [
  sweep({
    name: 'free seats',
    keeps: { ms: 0, after: 'everyone has moved up' },
    resumes: true,
    run: () => fillAll(),
  }),
]
