import { gathering } from './gathering'
import type { Attempt, Budget, Joint, Limiter, Verdict } from './limiter'
import type { memoryLimiter } from './memory'

/** A request to the counting process. */
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
 * A limiter with its windows in another process, so that several processes count together. All calls of one turn of the event
 * loop share a message, and answers keep their order.
 */
export function limiterElsewhere(send: (calls: LimitCall[]) => void) {
  type Resolve = (answer: LimitAnswer) => void
  const asked: Resolve[][] = []
  const { add } = gathering<{ call: LimitCall; resolve: Resolve }>((batch) => {
    asked.push(batch.map(({ resolve }) => resolve))
    send(batch.map(({ call }) => call))
  })

  const ask = <T extends LimitAnswer>(call: LimitCall): Promise<T> =>
    new Promise((resolve) => add({ call, resolve: resolve as Resolve }))

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
    receive(answers: LimitAnswer[]) {
      const batch = asked.shift() ?? []
      for (const [index, resolve] of batch.entries()) resolve(answers[index] as LimitAnswer)
    },
  }
}

/** The counting side for one process: releases its running attempts when it ends. */
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
