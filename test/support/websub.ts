import { afterEach, beforeEach } from 'bun:test'
import { config } from '@/config/config'
import { now } from '@/core/clock'
import { db } from '@/db/client'
import { feedSubscriptionRequests, feedSubscriptions } from '@/db/tables/feed-subscriptions'
import { tellSubscribers } from '@/modules/gatherings/feeds/websub/changes'
import { startHub } from '@/modules/gatherings/feeds/websub/dispatch/hub'
import { relayEvents } from '@/outbox/relay'
import { type Answer, post } from './api'
import { until } from './processes'

export type Asked = { path: string; query: URLSearchParams }
export type Told = { headers: Headers; body: string; path: string }

type Manners = {
  confirm?: (asked: Asked) => Response | Promise<Response>
  accept?: (told: Told, count: number) => Response | Promise<Response>
}

/** The words of a subscriber that agrees to everything. */
export const agree = ({ query }: Asked) => new Response(query.get('hub.challenge'))

/** A subscriber on this machine: what it was asked and told, and how it answers. */
export function openSubscriber({ confirm = agree, accept = () => new Response() }: Manners = {}) {
  const asked: Asked[] = []
  const told: Told[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const { pathname: path, searchParams: query } = new URL(request.url)
      if (request.method === 'GET') {
        const one = { path, query }
        asked.push(one)
        return confirm(one)
      }
      const one = { headers: request.headers, body: await request.text(), path }
      told.push(one)
      return accept(one, told.length)
    },
  })
  return {
    asked,
    told,
    port: server.port as number,
    url: `http://127.0.0.1:${server.port}/cb`,
    close: () => server.stop(true),
  }
}

/** Addresses of feeds as we write them. */
export const topicOf = (path: string) => config.baseUrl + path

export const ask = (fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> =>
  post('/websub', {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

export const askTo = (
  mode: 'subscribe' | 'unsubscribe',
  topic: string,
  callback: string,
  more: Record<string, string> = {},
) => ask({ 'hub.mode': mode, 'hub.topic': topicOf(topic), 'hub.callback': callback, ...more })

export const subscriptionsAt = async (callback: string) =>
  (await db.select().from(feedSubscriptions)).filter((row) => row.callback === callback)

export const requestsAt = async (callback: string) =>
  (await db.select().from(feedSubscriptionRequests)).filter((row) => row.callback === callback)

/** Takes up every domain event and lets pushes be due. */
export async function tellHub(): Promise<void> {
  for (let taken = true; taken; ) {
    taken = false
    await relayEvents([], async (tx, events) => {
      taken = true
      await tellSubscribers(tx, events, now())
    })
  }
}

const isDue = ({ dueAt }: { dueAt: Date | null }) => dueAt !== null && dueAt <= now()

/** Requests first: the subscription that comes of one is due in its place. */
const countDue = async () =>
  (await db.select().from(feedSubscriptionRequests)).filter(isDue).length +
  (await db.select().from(feedSubscriptions)).filter(isDue).length

/** Asks and tells whoever is to be, until nothing is due. */
export async function runHub(hubs = 1): Promise<void> {
  await tellHub()
  const running = Array.from({ length: hubs }, () => startHub({ pollMs: 20 }))
  try {
    await until('nobody is left to be asked or told', async () => (await countDue()) === 0)
  } finally {
    await Promise.all(running.map((hub) => hub.stop()))
  }
}

export async function subscribe(topic: string, callback: string, more: Record<string, string> = {}) {
  const answer = await askTo('subscribe', topic, callback, more)
  if (answer.status !== 202) throw new Error(`${answer.status} ${answer.text}`)
  await runHub()
}

/** For files that run the hub: nothing is left of other tests, and nothing for them. */
export function leaveNoSubscriptions(): void {
  const clear = async () => {
    await db.delete(feedSubscriptions)
    await db.delete(feedSubscriptionRequests)
  }
  beforeEach(clear)
  afterEach(clear)
}
