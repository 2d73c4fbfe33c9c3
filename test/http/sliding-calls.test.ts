import { expect, test } from 'bun:test'
import type { Budget } from '@/http/limits/limiter'
import type { Script } from '@/http/limits/redis-scripts'
import { redisWindows } from '@/http/limits/redis-windows'

const budgetOf = (key: string): Budget => ({ key, limit: 3, windowMs: 1000 })

/** A Redis that answers when it is told to. */
function slowRedis() {
  const calls: { keys: string[]; answer: (numbers: number[]) => void; fail: (error: Error) => void }[] = []
  const slide = (count: number, ...rest: string[]) =>
    new Promise<number[]>((answer, fail) => calls.push({ keys: rest.slice(0, count), answer, fail }))
  const lost: unknown[] = []
  const { hit } = redisWindows({
    script: slide as Script,
    isAway: () => false,
    inMemory: ({ limit }) => ({ allowed: true, limit, remaining: -1, resetAtMs: 0 }),
    lost: (error) => lost.push(error),
  })
  return { calls, lost, hit: async (key: string) => hit(budgetOf(key), 1) }
}

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
const granted = (keys: string[]) => keys.flatMap(() => [1, 1, 5000])

test('hits gather while a call is under way, and go in the next one', async () => {
  const { calls, hit } = slowRedis()
  const first = hit('anna')
  await turn()
  const others = [hit('bert'), hit('carl')]
  await turn()
  expect(calls.map(({ keys }) => keys.length)).toEqual([1])
  calls[0]?.answer(granted(['anna']))
  expect(await first).toEqual({ allowed: true, limit: 3, remaining: 2, resetAtMs: 5000 })
  await turn()
  expect(calls.map(({ keys }) => keys.length)).toEqual([1, 2])
  calls[1]?.answer(granted(['bert', 'carl']))
  expect((await Promise.all(others)).map(({ remaining }) => remaining)).toEqual([2, 2])
  void hit('dora')
  await turn()
  expect(calls).toHaveLength(3)
})

test('a Redis that does not answer is waited for once', async () => {
  const { calls, lost, hit } = slowRedis()
  const first = hit('anna')
  await turn()
  const second = hit('bert')
  calls[0]?.fail(new Error('Command timed out'))
  expect((await Promise.all([first, second])).map(({ remaining }) => remaining)).toEqual([-1, -1])
  await turn()
  expect(calls).toHaveLength(1)
  expect(lost).toHaveLength(1)
  void hit('carl')
  await turn()
  expect(calls).toHaveLength(2)
})
