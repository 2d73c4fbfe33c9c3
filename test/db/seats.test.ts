import { describe, expect, test } from 'bun:test'
import { seats } from '@/db/pool/seats'

const UNAVAILABLE = expect.objectContaining({ appCode: 'unavailable' })

const room = (waitingMax: number, waitMs = 10_000) => seats({ all: ['a', 'b'], waitingMax, waitMs })

describe('seats at the database', () => {
  test('are as many as there are; behind them so many wait and no more', async () => {
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

  test('are not waited for without an end, and not given to those who have left', async () => {
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
