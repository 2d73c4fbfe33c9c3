import { sweep } from '@/core/sweep'
import { settleAll } from './holders/settle'

/** Removes marks that awards are to follow their badge, by settling them, in portions. */
export const badgeSweeps = [
  sweep({
    name: 'unsettled badges',
    keeps: { ms: 0, after: 'all awards follow' },
    resumes: true,
    run: () => settleAll(),
  }),
]
