import { config } from '@/config/config'
import { db } from '@/db/client'
import { pathOfFeed } from '@/modules/gatherings/feeds/address'
import { FORMATS } from '@/modules/gatherings/feeds/feed'
import { listener } from '@/outbox/listener'
import { findListedUrlname } from './queries'

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
