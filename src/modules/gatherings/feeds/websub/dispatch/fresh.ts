import { gate } from '@/core/gate'
import { cachedBody } from '@/http/encodings'
import { encodeInTurns } from '../../encode'
import type { Format } from '../../feed'
import { render } from '../../render'
import { find, select } from '../../select'
import type { Topic } from '../topics'

export type FreshFeed = { etag: string; bytes: Uint8Array<ArrayBuffer>; self: string }

/** Null until it has its turn. */
type Making = { begunAt: number | null; made?: Promise<FreshFeed> }

const making = new Map<string, Making>()

/** Feeds are made one after another: a worker may share its process with those who answer people. */
const pass = gate({ atOnce: 1, waitingMax: 10_000 })

/**
 * The feed as whoever reads it next gets it. What this process keeps may be older than the change that a subscriber is to
 * hear of, so it is read anew, once for all who are told together: nothing that was begun before `since` will do.
 */
export function freshFeed({ topic, userId, address, format }: Topic, since: number): Promise<FreshFeed> {
  const key = `${topic} ${userId}`
  const known = making.get(key)
  if (known?.made && (known.begunAt ?? since) >= since) return known.made
  const one: Making = { begunAt: null }
  making.set(key, one)
  const { promise, resolve, reject } = Promise.withResolvers<FreshFeed>()
  one.made = promise
  const end = () => {
    if (making.get(key) === one) making.delete(key)
  }
  pass(async () => {
    const begunAt = performance.now()
    one.begunAt = begunAt
    await make(address, format).then(resolve, reject).finally(end)
    // As long as it took, others have the process to themselves.
    await Bun.sleep(performance.now() - begunAt)
  }).catch((error) => {
    end()
    reject(error)
  })
  return one.made
}

async function make(address: Topic['address'], format: Format): Promise<FreshFeed> {
  const { head, events } = await select(await find(address))
  const bytes = await encodeInTurns(await render(format, head, events))
  return { etag: cachedBody(bytes).etag, bytes, self: head.addresses[format] }
}
