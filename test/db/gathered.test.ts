import { expect, test } from 'bun:test'
import { gathered } from '@/db/gathered'

const refusal = (code: string) => Object.assign(new Error('refused'), { code })

/** Notes what each run was given; `gone` is refused by the database, and whoever is with it. */
function recorder(code: string) {
  const runs: string[][] = []
  const record = gathered<string, string>({
    keyOf: (item) => item.slice(0, 4),
    run: async (items) => {
      runs.push(items)
      if (items.includes('gone')) throw refusal(code)
      return items.join(' ')
    },
  })
  return { runs, record }
}

test('concurrent items share a statement, except two with one key', async () => {
  const { runs, record } = recorder('23503')
  expect(await Promise.all(['anna', 'bert', 'anna again'].map(record))).toEqual([
    'anna bert',
    'anna bert',
    'anna again',
  ])
  expect(runs).toEqual([['anna', 'bert'], ['anna again']])
})

test('an item that the database refuses does not fail the others', async () => {
  const { record } = recorder('23503')
  const results = await Promise.allSettled(['anna', 'gone', 'bert'].map(record))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('an unreachable database is not queried once per item', async () => {
  const { runs, record } = recorder('08006')
  const results = await Promise.allSettled(['anna', 'gone', 'bert'].map(record))
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(runs).toHaveLength(1)
})

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

test('few items wait for the running statement; many get a second one', async () => {
  const begun: number[] = []
  const ends: (() => void)[] = []
  const record = gathered<string, void>({
    keyOf: (item) => item,
    run: (items) => {
      begun.push(items.length)
      return new Promise((resolve) => ends.push(resolve))
    },
  })
  const all = [record('anna')]
  await turn()
  all.push(record('bert'), record('carl'))
  await turn()
  expect(begun).toEqual([1])
  for (let i = 0; i < 60; i += 1) all.push(record(`guest ${i}`))
  await turn()
  expect(begun).toEqual([1, 62])
  all.push(record('dora'))
  ends[0]?.()
  await turn()
  expect(begun).toEqual([1, 62])
  ends[1]?.()
  await turn()
  expect(begun).toEqual([1, 62, 1])
  ends[2]?.()
  await Promise.all(all)
})

test('few items pause after a statement; many do not', async () => {
  const begun: string[][] = []
  const record = gathered<string, void>({
    keyOf: (item) => item,
    run: async (items) => {
      begun.push(items)
    },
    pauseMs: 600_000,
  })
  await record('anna')
  const all = [record('bert')]
  await turn()
  expect(begun).toEqual([['anna']])
  for (let i = 0; i < 50; i += 1) all.push(record(`guest ${i}`))
  await Promise.all(all)
  expect(begun.map(({ length }) => length)).toEqual([1, 51])
})
