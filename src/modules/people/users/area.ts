import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { countAroundAll } from './follower-counts/count'
import { countUncounted } from './follower-counts/queries'
import { userPictures } from './pictures'

export const usersArea = {
  sweeps: [
    sweep({
      name: 'follower counts',
      keeps: { ms: 0, after: 'the counts are right' },
      resumes: () => countUncounted(db),
      run: () => countAroundAll(),
    }),
  ],
  pictures: userPictures,
}
