import { sweep } from '@/core/sweep'
import { countAroundAll } from './follower-counts/count'

/** Removes marks that followers are to be counted, by counting them, in portions. */
export const userSweeps = [sweep({ name: 'follower counts', run: countAroundAll })]
