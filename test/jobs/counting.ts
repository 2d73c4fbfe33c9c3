import { Type } from '@sinclair/typebox'
import { whole } from '@/core/fields'
import { job } from '@/jobs/job'

/** Counts, a step at a time. The step says when it goes on. */
export const countingJob = (step: (done: number) => Promise<unknown>) =>
  job({
    name: 'counting',
    input: Type.Object({ to: whole(1, 1000) }),
    result: Type.Object({ counted: Type.Number() }),
    run: async ({ to }, { progress }) => {
      for (let done = 1; done <= to; done += 1) {
        await progress(done, to)
        await step(done)
      }
      return { counted: to }
    },
  })
