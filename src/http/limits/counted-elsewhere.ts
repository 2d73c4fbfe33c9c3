import type { Attempt, Budget, Joint, Limiter, Verdict } from './limiter'
import type { memoryLimiter } from './memory'

/** What a process asks of the one that counts for it. */
export type LimitCall =
  | { hit: Budget; cost: number }
  | { all: Budget[] }
  | { back: Budget[] }
  | { slide: Budget }
  | { begin: Budget }
  | { end: number; failed: boolean }

type Begun = Omit<Attempt, 'end'> & { place: number }

export type LimitAnswer = Verdict | Joint | Begun | null

/**
 * A limiter whose windows are in another process, so that several processes count as one. All that is asked in one turn of the
 * event loop goes in one message, and messages are answered in their order.
 */
export function limiterElsewhere(send: (calls: LimitCall[]) => void) {
  type Hear = (answer: LimitAnswer) => void
  const asked: Hear[][] = []
  let calls: LimitCall[] = []
  let hearing: Hear[] = []

  function flush() {
    asked.push(hearing)
    send(calls)
    calls = []
    hearing = []
  }

  const ask = <T extends LimitAnswer>(call: LimitCall): Promise<T> =>
    new Promise((resolve) => {
      if (calls.length === 0) setImmediate(flush)
      calls.push(call)
      hearing.push(resolve as Hear)
    })

  const limiter: Limiter = {
    hit: (budget, cost) => ask<Verdict>({ hit: budget, cost }),
    hitAll: (budgets) => ask<Joint>({ all: budgets }),
    async giveBack(budgets) {
      await ask({ back: budgets })
    },
    slide: (budget) => ask<Verdict>({ slide: budget }),
    async beginAttempt(budget) {
      const { place, ...begun } = await ask<Begun>({ begin: budget })
      return {
        ...begun,
        async end(failed) {
          await ask({ end: place, failed })
        },
      }
    },
  }
  return {
    limiter,
    hear(answers: LimitAnswer[]) {
      const batch = asked.shift() ?? []
      for (const [index, resolve] of batch.entries()) resolve(answers[index] as LimitAnswer)
    },
  }
}

/** The end at which it is counted, for one process: what that has begun is let go of when it is gone. */
export function countFor({ hit, hitAll, giveBack, slide, beginAttempt }: ReturnType<typeof memoryLimiter>) {
  const begun = new Map<number, Attempt>()
  let places = 0

  function begin(budget: Budget): Begun {
    const attempt = beginAttempt(budget)
    const { verdict, running } = attempt
    places += 1
    if (verdict.allowed) begun.set(places, attempt)
    return { verdict, running, place: places }
  }

  function end(place: number, failed: boolean): null {
    begun.get(place)?.end(failed)
    begun.delete(place)
    return null
  }

  function answer(call: LimitCall): LimitAnswer {
    if ('hit' in call) return hit(call.hit, call.cost)
    if ('slide' in call) return slide(call.slide)
    if ('all' in call) return hitAll(call.all)
    if ('back' in call) return giveBack(call.back) ?? null
    if ('begin' in call) return begin(call.begin)
    return end(call.end, call.failed)
  }

  return {
    answer: (calls: LimitCall[]) => calls.map(answer),
    gone() {
      for (const place of begun.keys()) end(place, false)
    },
  }
}
