import { sweep } from '@/core/sweep'
import { clearAll } from './end/end'

/** Deletes what deleted groups had, in portions. */
export const groupSweeps = [
  sweep({
    name: 'deleted groups',
    keeps: { ms: 0, after: 'the group' },
    resumes: true,
    run: () => clearAll(),
  }),
]
