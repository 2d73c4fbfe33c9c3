import { expect, test } from 'bun:test'
import { coalesce } from '@/modules/recognition/leaderboards/coalesce'

test('however many ask while a page is being read, it is read once more for all of them', async () => {
  const gates: PromiseWithResolvers<void>[] = []
  let truth = 0
  const read = coalesce(async (key) => {
    const seen = truth
    const gate = Promise.withResolvers<void>()
    gates.push(gate)
    await gate.promise
    return `${key}${seen}`
  })
  const first = read('a')
  const later = Array.from({ length: 50 }, () => {
    truth += 1
    return read('a')
  })
  const elsewhere = read('b')
  expect(gates).toHaveLength(2)
  gates[0]?.resolve()
  gates[1]?.resolve()
  expect([await first, await elsewhere]).toEqual(['a0', 'b50'])
  expect(gates).toHaveLength(3)
  gates[2]?.resolve()
  // Each of them sees at least what was true when they asked.
  expect(new Set(await Promise.all(later))).toEqual(new Set(['a50']))
  const again = read('a')
  gates[3]?.resolve()
  expect(await again).toBe('a50')
})

test('a failed read rejects only the callers who waited for it', async () => {
  let tries = 0
  const read = coalesce(async () => {
    tries += 1
    const attempt = tries
    await Promise.resolve()
    if (attempt < 3) throw new Error(`attempt ${attempt}`)
    return attempt
  })
  const asked = [read('a'), read('a'), read('a')]
  const outcomes = await Promise.allSettled(asked)
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(tries).toBe(2)
  expect(await read('a')).toBe(3)
})
