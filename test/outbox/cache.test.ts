import { describe, expect, test } from 'bun:test'
import { deliver, isConnected, setConnected } from '@/outbox/bus'
import { cache } from '@/outbox/cache'
import { until } from '../support/processes'
import { later } from '../support/time'

const revoked = (userId: string) => deliver([{ type: 'token.revoked', data: { tokenId: 'x', userId } }])

function counted() {
  let loads = 0
  let gate: Promise<void> | undefined
  const cached = cache<string | null>({
    max: 3,
    load: async (key) => {
      loads += 1
      await gate
      return key === 'missing' ? null : `${key}-${loads}`
    },
    drops: (message, drop) => {
      if (message.type === 'token.revoked') drop.key(message.data.userId)
    },
  })
  return {
    cached,
    loads: () => loads,
    hold: () => {
      let open = () => {}
      gate = new Promise((resolve) => {
        open = () => {
          gate = undefined
          resolve()
        }
      })
      return open
    },
  }
}

describe('a cache', () => {
  test('rejects waiting readers if the load fails', async () => {
    const failing = cache<string>({
      max: 3,
      load: () => Promise.reject(new Error('no database')),
      drops: () => {},
    })
    // The run is ended by a rejection that nobody handles, and so would a server be.
    void failing.get('a')
    const waiting = failing.get('a')
    expect(waiting).rejects.toThrow('no database')
    await new Promise<void>((resolve) => setImmediate(resolve))
  })

  test('loads once for concurrent readers, then answers at once', async () => {
    await until('the notify channel is open', isConnected)
    const { cached, loads } = counted()
    expect(await Promise.all([cached.get('a'), cached.get('a'), cached.get('a')])).toEqual([
      'a-1',
      'a-1',
      'a-1',
    ])
    expect(cached.get('a')).toBe('a-1')
    expect(loads()).toBe(1)
  })

  test('is invalidated by a message', async () => {
    const { cached } = counted()
    await cached.get('b')
    revoked('b')
    expect(await cached.get('b')).toBe('b-2')
  })

  test('expires even without a message', async () => {
    const { cached } = counted()
    await cached.get('old')
    expect(cached.get('old')).toBe('old-1')
    await later(61_000, async () => expect(await cached.get('old')).toBe('old-2'))
  })

  test('does not cache a load that an invalidation overtook', async () => {
    const { cached, hold } = counted()
    const release = hold()
    const first = cached.get('c')
    revoked('c')
    const second = cached.get('c')
    release()
    expect([await first, await second]).not.toEqual(['c-1', 'c-1'])
    expect(cached.get('c')).toBe((await second) as string)
  })

  test('caches no misses and respects its maximum size', async () => {
    const { cached, loads } = counted()
    await cached.get('missing')
    await cached.get('missing')
    expect(loads()).toBe(2)
    for (const key of ['d', 'e', 'f', 'g']) await cached.get(key)
    expect(cached.get('g')).toBeString()
    expect(cached.get('d')).toBeInstanceOf(Promise)
  })

  test('is empty while messages may be lost, and afterwards', async () => {
    const { cached } = counted()
    await cached.get('h')
    setConnected(false)
    expect(await cached.get('h')).toBe('h-2')
    expect(cached.get('h')).toBeInstanceOf(Promise)
    setConnected(true)
    await cached.get('h')
    expect(cached.get('h')).toBeString()
  })
})
