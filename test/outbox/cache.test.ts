import { describe, expect, test } from 'bun:test'
import { deliver, isConnected, setConnected } from '@/outbox/bus'
import { cache } from '@/outbox/cache'
import { until } from '../support/processes'
import { later } from '../support/time'

const revoked = (userId: string) => deliver([{ type: 'token.revoked', data: { tokenId: 'x', userId } }])

function counted() {
  let loads = 0
  let gate: Promise<void> | undefined
  const memory = cache<string | null>({
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
    memory,
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

describe('a memory', () => {
  test('loads once for many readers and then answers at once', async () => {
    await until('the notify channel is open', isConnected)
    const { memory, loads } = counted()
    expect(await Promise.all([memory.get('a'), memory.get('a'), memory.get('a')])).toEqual([
      'a-1',
      'a-1',
      'a-1',
    ])
    expect(memory.get('a')).toBe('a-1')
    expect(loads()).toBe(1)
  })

  test('is dropped by a message', async () => {
    const { memory } = counted()
    await memory.get('b')
    revoked('b')
    expect(await memory.get('b')).toBe('b-2')
  })

  test('ends some time, even where nobody contradicts it', async () => {
    const { memory } = counted()
    await memory.get('old')
    expect(memory.get('old')).toBe('old-1')
    await later(61_000, async () => expect(await memory.get('old')).toBe('old-2'))
  })

  test('does not keep what a message overtook while it was loading', async () => {
    const { memory, hold } = counted()
    const release = hold()
    const first = memory.get('c')
    revoked('c')
    const second = memory.get('c')
    release()
    expect([await first, await second]).not.toEqual(['c-1', 'c-1'])
    expect(memory.get('c')).toBe((await second) as string)
  })

  test('does not remember what is not there, nor more than it may', async () => {
    const { memory, loads } = counted()
    await memory.get('missing')
    await memory.get('missing')
    expect(loads()).toBe(2)
    for (const key of ['d', 'e', 'f', 'g']) await memory.get(key)
    expect(memory.get('g')).toBeString()
    expect(memory.get('d')).toBeInstanceOf(Promise)
  })

  test('is empty after messages may have been missed, and while they may be', async () => {
    const { memory } = counted()
    await memory.get('h')
    setConnected(false)
    expect(await memory.get('h')).toBe('h-2')
    expect(memory.get('h')).toBeInstanceOf(Promise)
    setConnected(true)
    await memory.get('h')
    expect(memory.get('h')).toBeString()
  })
})
