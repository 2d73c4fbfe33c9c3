import { config } from '@/config/config'
import { isRefused } from '@/db/conflicts'
import { ownerOfFeedToken } from '@/modules/access/feed-tokens/cache'
import { visibleGroup } from '@/modules/community/groups/visible'
import { type FeedAddress, filtersIn, pathOfFeed, splitName } from '../address'
import type { Format } from '../feed'

/** A feed that can be subscribed to. */
export type Topic = {
  /** The canonical path and query; a person's own has no token in it. */
  topic: string
  address: FeedAddress
  format: Format
  groupId: string | null
  userId: string | null
  feedTokenId: string | null
}

const WRITTEN_MAX = 2048
const PLACE = /^\/feeds\/(?:(groups|me)\/)?([^/]+)$/

/**
 * The feed at an address of ours; null when there is none. Whatever is wrong (another host, a group that is hidden or
 * never was, a token that is none) comes to the same, as it does for whoever reads the address.
 */
export async function findTopic(written: string): Promise<Topic | null> {
  const url = written.length > WRITTEN_MAX ? null : URL.parse(written)
  if (!url || !isOurs(url)) return null
  const [, kind, file = ''] = PLACE.exec(url.pathname) ?? []
  try {
    const { name, format } = splitName(decodeURIComponent(file))
    if (kind === 'me') return await findOwn(name, format)
    if (kind === 'groups') return await findGroup(name, format, url.href)
    return name === 'events' ? publicTopic({ kind: 'events', filters: filtersIn(url.href) }, format) : null
  } catch (error) {
    if (error instanceof URIError || isRefused(error)) return null
    throw error
  }
}

const isOurs = (url: URL) =>
  [config.baseUrl, config.legacyBaseUrl].includes(url.origin) && !url.username && !url.password && !url.hash

async function findOwn(token: string, format: Format): Promise<Topic | null> {
  const owner = await ownerOfFeedToken(token)
  return (
    owner && {
      topic: `/feeds/me.${format}`,
      address: { kind: 'person', userId: owner.userId },
      format,
      groupId: null,
      userId: owner.userId,
      feedTokenId: owner.tokenId,
    }
  )
}

async function findGroup(slug: string, format: Format, url: string): Promise<Topic> {
  const { group: _, ...filters } = filtersIn(url)
  const { group } = await visibleGroup(null, slug.toLowerCase())
  return publicTopic({ kind: 'group', slug: group.urlname, filters }, format, group.id)
}

const publicTopic = (address: FeedAddress, format: Format, groupId: string | null = null): Topic => ({
  topic: pathOfFeed(address, format),
  address,
  format,
  groupId,
  userId: null,
  feedTokenId: null,
})
