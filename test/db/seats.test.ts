import { describe, expect, test } from 'bun:test'
import { seats } from '@/db/pool/seats'
import { shares } from '@/db/pool/shares'

const UNAVAILABLE = expect.objectContaining({ appCode: 'unavailable' })

const room = (waitingMax: number, waitMs = 10_000) => seats({ all: ['a', 'b'], waitingMax, waitMs })

describe('seats of the pool', () => {
  test('are bounded, and so are waiters', async () => {
    const { take, giveBack } = room(2)
    expect([take(), take()].sort()).toEqual(['a', 'b'])
    const waiting = [take(), take()]
    expect(() => take()).toThrow(UNAVAILABLE)
    giveBack('a')
    expect(await waiting[0]).toBe('a')
    // One has sat down, so that there is room for another who waits.
    const next = take()
    expect(() => take()).toThrow(UNAVAILABLE)
    giveBack('b')
    giveBack('a')
    expect([await waiting[1], await next]).toEqual(['b', 'a'])
  })

  test('are not waited for without a limit, and skip waiters who left', async () => {
    const { take, giveBack, free } = room(5, 5)
    take()
    take()
    const late = await Promise.resolve(take()).catch((error) => error)
    expect(late).toEqual(UNAVAILABLE)
    giveBack('a')
    expect(free()).toEqual(['a'])
    expect(take()).toBe('a')
  })
})

describe('shares of the pool', () => {
  const share = (waitMs = 10_000, isSilent = false) =>
    shares({ ofCaller: 2, ofThing: 1, waitingMax: 2, waitMs, isSilent: () => isSilent })
  const by = (caller: string, ...things: string[]) => ({ caller, things })
  const isIn = async (entered: unknown) =>
    (await Promise.race([entered, Promise.resolve('waits')])) !== 'waits'

  test('are bounded per caller; others and background work enter at once', async () => {
    const { enter, leave, waiting } = share()
    const first = enter(by('ada'))
    enter(by('ada'))
    const third = enter(by('ada'))
    expect([first, enter(by('bob')), enter(undefined)].map(Array.isArray)).toEqual([true, true, true])
    expect([await isIn(third), waiting()]).toEqual([false, 1])
    leave(await first)
    expect([await isIn(third), waiting()]).toEqual([true, 0])
  })

  test('are bounded per object over all callers, in order', async () => {
    const { enter, leave } = share()
    const first = enter(by('ada', 'event'))
    const [second, third] = [enter(by('bob', 'event')), enter(by('cem', 'event'))]
    leave(await first)
    expect([await isIn(second), await isIn(third)]).toEqual([true, false])
    leave(await second)
    expect(await isIn(third)).toBe(true)
  })

  test('of one object go first to callers without one', async () => {
    const { enter, leave } = share()
    const first = enter(by('ada', 'event'))
    const [again, other] = [enter(by('ada', 'event')), enter(by('bob', 'event'))]
    // She still has a connection for something else.
    enter(by('ada', 'profile'))
    leave(await first)
    expect([await isIn(again), await isIn(other)]).toEqual([false, true])
    leave(await other)
    expect(await isIn(again)).toBe(true)
  })

  test('are taken all at once, so that no waiter holds one of two', async () => {
    const { enter, leave } = share()
    const event = enter(by('ada', 'event'))
    const group = enter(by('ada', 'group'))
    const both = enter(by('bob', 'event', 'group'))
    leave(await event)
    expect([await isIn(both), await isIn(enter(by('cem', 'event')))]).toEqual([false, true])
    leave(await group)
    expect(await isIn(both)).toBe(false)
  })

  test('are refused as 429 to a caller with too many requests, and as 503 for a busy object', async () => {
    const { enter, refused } = share(5)
    for (const _ of [1, 2]) enter(by('ada'))
    const waiting = [enter(by('ada')), enter(by('ada'))]
    expect(() => enter(by('ada'))).toThrow(expect.objectContaining({ appCode: 'rate_limited' }))
    enter(by('bob', 'event'))
    const other = enter(by('cem', 'event'))
    const late = await Promise.all(
      [...waiting, other].map((one) => Promise.resolve(one).catch((e) => e.appCode)),
    )
    expect(late).toEqual(['rate_limited', 'rate_limited', 'unavailable'])
    expect(refused()).toBe(4)
    expect(await isIn(enter(by('cem')))).toBe(true)
  })

  test('are refused as 503 while the database does not answer', () => {
    const { enter } = share(10_000, true)
    for (const _ of [1, 2, 3, 4]) Promise.resolve(enter(by('ada'))).catch(() => {})
    expect(() => enter(by('ada'))).toThrow(UNAVAILABLE)
  })
})
