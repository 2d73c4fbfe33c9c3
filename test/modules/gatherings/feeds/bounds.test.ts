import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { gate } from '@/core/gate'
import { inTurns } from '@/core/in-turns'
import { db } from '@/db/client'
import { cachedBody } from '@/http/encodings'
import { budget } from '@/modules/gatherings/feeds/budget'
import { recordVersion } from '@/modules/gatherings/feeds/queries'
import { withRenderLimit } from '@/modules/gatherings/feeds/send'
import { readFeed } from '../../../support/feeds'

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('kept bytes', () => {
  const feed = (size: number) => ({
    body: cachedBody(new Uint8Array(size)) as ReturnType<typeof cachedBody> | null,
  })

  test('leave in the order in which they were last asked for', async () => {
    const { hold } = budget(3000)
    const [a, b, c, d] = [feed(1000), feed(1000), feed(1000), feed(1000)]
    for (const one of [a, b, c]) hold(one)
    hold(a)
    hold(d)
    // Whoever waited for one has it in hand until others had their turn.
    expect(b.body).not.toBeNull()
    await nextTurn()
    expect([a, b, c, d].map(({ body }) => body !== null)).toEqual([true, false, true, true])
  })

  test('stay for as long as they are asked for, however large, and make room for nobody else', async () => {
    const { hold } = budget(3000)
    const [small, large] = [feed(500), feed(9000)]
    hold(small)
    hold(large)
    await nextTurn()
    expect([small.body !== null, large.body !== null]).toEqual([false, true])
    hold(small)
    expect(small.body).toBeNull()
    const next = feed(500)
    hold(next)
    await nextTurn()
    expect([large.body !== null, next.body !== null]).toEqual([false, true])
  })

  test('count in all their forms', async () => {
    const { hold } = budget(20_000)
    const first = feed(9000)
    const second: ReturnType<typeof feed> = { body: null }
    second.body = cachedBody(crypto.getRandomValues(new Uint8Array(9000)), () => hold(second))
    hold(first)
    hold(second)
    await second.body.form('gzip')
    expect(second.body.size()).toBe(9000)
    await first.body?.form('gzip')
    expect(first.body?.size()).toBeGreaterThan(9000)
  })
})

describe('a crowd', () => {
  test('of feeds that nobody keeps waits in line, and is sent away when that is too long', async () => {
    const pass = gate({ atOnce: 2, waitingMax: 3 })
    let [inside, most] = [0, 0]
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const work = () =>
      pass(async () => {
        inside += 1
        most = Math.max(most, inside)
        await opened
        inside -= 1
        return 'done'
      })
    const all = Array.from({ length: 7 }, () => work().catch(({ appCode }) => appCode))
    open()
    expect((await Promise.all(all)).sort()).toEqual([
      'done',
      'done',
      'done',
      'done',
      'done',
      'unavailable',
      'unavailable',
    ])
    expect(most).toBe(2)
    expect(await work()).toBe('done')
  })

  test('is sent away when it has waited for long enough, and the line moves on', async () => {
    const pass = gate({ atOnce: 1, waitingMax: 10, patienceMs: 20 })
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const first = pass(() => opened)
    const impatient = pass(async () => 'late').catch(({ appCode }) => appCode)
    expect(await impatient).toBe('unavailable')
    const next = pass(async () => 'in time')
    open()
    await first
    expect(await next).toBe('in time')
  })

  test('of one address has a share of it, and no more', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<string>()
    const asked = (who: string) => withRenderLimit(who, () => opened).catch(({ appCode }) => appCode)
    const greedy = Array.from({ length: 8 }, () => asked('a'))
    const modest = asked('b')
    open('made')
    expect((await Promise.all(greedy)).filter((one) => one === 'made').length).toBe(6)
    expect(await modest).toBe('made')
    expect(await asked('a')).toBe('made')
  })

  test('has its turns while something long is done', async () => {
    let turns = 0
    const counting = setInterval(() => {
      turns += 1
    }, 0)
    const spin = (n: number) => {
      const until = performance.now() + 1
      while (performance.now() < until);
      return n
    }
    const done = await inTurns(
      Array.from({ length: 60 }, (_, n) => n),
      spin,
    )
    clearInterval(counting)
    expect(done).toEqual(Array.from({ length: 60 }, (_, n) => n))
    expect(turns).toBeGreaterThan(2)
  })
})

describe('invented filters', () => {
  test('are written down only while there is room, those that are there already stay', async () => {
    const key = (n: number) => new Uint8Array(32).fill(n)
    await db.execute(sql`delete from feed_versions`)
    const before = await recordVersion(db, key(1), '"a"', 300)
    await db.execute(sql`insert into feed_versions (key, etag) select sha256(('full' || n)::bytea), 'x'
      from generate_series(1, 300) n`)
    expect(await recordVersion(db, key(2), '"a"', 300)).toBeNull()
    expect(await recordVersion(db, key(1), '"a"', 300)).toEqual(before)
    const changed = await recordVersion(db, key(1), '"b"', 300)
    expect(changed?.getTime()).toBeGreaterThan(before?.getTime() as number)
    await db.execute(sql`delete from feed_versions`)
    // A feed without a row is answered all the same, in full.
    expect((await readFeed('/feeds/events.rss')).status).toBe(200)
  })
})
