import { sweep } from '@/core/sweep'
import { countAroundAll } from './follower-counts/count'
import { userPictures } from './pictures'

export const usersArea = {
  sweeps: [
    sweep({
      name: 'follower counts',
      keeps: { ms: 0, after: 'the counts are right' },
      resumes: true,
      run: () => countAroundAll(),
    }),
  ],
  pictures: userPictures,
}
