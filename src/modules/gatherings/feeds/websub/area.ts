import { Elysia } from 'elysia'
import { config } from '@/config/config'
import { now } from '@/core/clock'
import { sampled } from '@/core/metrics'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { refused } from '@/http/openapi/shared'
import { type Protocol, protocol } from '@/http/protocol'
import { OPEN } from '@/http/route-traits'
import { pathOfFeed } from '@/modules/gatherings/feeds/address'
import { FORMATS } from '@/modules/gatherings/feeds/feed'
import { listener } from '@/outbox/listener'
import { deleteExpired, findListedUrlname, findSubscriptionFigures } from './queries'
import { askForSubscription } from './requests/endpoint'
import { deleteOldRequests } from './requests/queries'

const TYPES = ['event.published', 'event.updated', 'event.cancelled'] as const
const TIMEOUT_MS = 10_000
const NONE: ReadonlySet<string> = new Set()
const ALL: ReadonlySet<string> = new Set(TYPES)

/** The hub that the operator chose instead of ours, if there is one. */
const otherHub = () => (config.hub.isOwn ? null : config.hub.url)

/**
 * Tells the hub elsewhere which feeds have changed: it fetches them and tells its subscribers. Feeds with filters are
 * more than we know of: who wants to hear of those at once has to use the hub of this server.
 */
export const hubListener = listener({
  name: 'hub-ping',
  on: TYPES,
  relevantNow: () => (otherHub() === null ? NONE : ALL),
  effect: async ({ data }) => {
    const hub = otherHub()
    const slug = await findListedUrlname(db, (data as { groupId: string }).groupId)
    if (hub === null || slug === undefined) return
    const form = new URLSearchParams({ 'hub.mode': 'publish' })
    for (const format of FORMATS)
      for (const path of [
        pathOfFeed({ kind: 'events', filters: {} }, format),
        pathOfFeed({ kind: 'group', slug, filters: {} }, format),
      ]) {
        form.append('hub.url', config.baseUrl + path)
        form.append('hub.topic', config.baseUrl + path)
      }
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const answer = fetch(hub, { method: 'POST', body: form, redirect: 'manual', signal })
    const { ok, status } = await answer.catch(() => {
      throw new Error('The hub at HUB_URL cannot be reached')
    })
    if (!ok) throw new Error(`The hub at HUB_URL answered ${status}`)
  },
})

/** Longer than all attempts to ask the callback take. */
const REQUEST_MS = 60 * 60 * 1000

const websubSweeps = [
  sweep({
    name: 'feed subscriptions',
    keeps: { ms: 0, after: 'its lease ends' },
    run: (before) => deleteExpired(db, before),
  }),
  sweep({
    name: 'feed subscription requests',
    keeps: { ms: REQUEST_MS, after: 'it was made' },
    run: (before) => deleteOldRequests(db, before),
  }),
]

const STATES = ['due', 'failing', 'unverified'] as const

/** The Prometheus lines of subscriptions to feeds. */
async function subscriptionLines(): Promise<string[]> {
  const figures = await findSubscriptionFigures(db, now())
  return sampled(
    'gauge',
    'folkmoot_feed_subscriptions',
    'Subscriptions to feeds: a push is due, the last one failed, or the callback has yet to confirm.',
    STATES.map((state) => [{ state }, figures[state]] as const),
  )
}

const text = (description: string) => ({ type: 'string', description })

const ASK: Protocol = {
  name: 'askForSubscription',
  summary: 'Be told when a feed changes (WebSub)',
  description:
    'The callback is asked whether it wants this: it answers the challenge with 2xx and nothing but it. From then on it gets the whole feed whenever that has changed, signed by the secret if there is one.',
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: {
          type: 'object',
          required: ['hub.mode', 'hub.topic', 'hub.callback'],
          properties: {
            'hub.mode': { type: 'string', enum: ['subscribe', 'unsubscribe'] },
            'hub.topic': text('The address of a feed of this server, as its `rel="self"` says it.'),
            'hub.callback': text('Where to send it: https, and reachable from the internet.'),
            'hub.lease_seconds': text('From 1 to 30 days; 10 days unless it is given.'),
            'hub.secret': text('At most 200 bytes; `X-Hub-Signature` is made with it.'),
          },
        },
      },
    },
  },
  responses: {
    202: { description: 'The callback will be asked.' },
    400: refused('validation_error'),
    413: refused('payload_too_large'),
    429: refused('rate_limited'),
    503: refused('unavailable'),
  },
}

const websubRoutes = new Elysia({ tags: ['Feeds'] }).post(
  '/websub',
  ...protocol(ASK, askForSubscription, { ...OPEN, showsBudget: true }),
)

export const websubArea = {
  routes: websubRoutes,
  listeners: [hubListener],
  sweeps: websubSweeps,
  metrics: [subscriptionLines],
}
