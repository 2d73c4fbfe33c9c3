import { type Answer, get } from './api'

/** The events of a feed, by their ids, sorted. */
export const idsIn = (answer: Answer): string[] =>
  (answer.body.items as { id: string }[]).map(({ id }) => id.split(':').at(-1) as string).sort()

export const readFeed = (path: string, headers?: Record<string, string>) => get(path, { headers })

/** The address of a person's own feed. */
export async function ownFeed(token: string, format = 'json'): Promise<string> {
  const { body } = await get('/v1/profile/feed-token', { token })
  return `/feeds/me/${body.data.feedToken}.${format}`
}
