import { randomHex } from '@/core/codes'
import { newId } from '@/core/ids'
import { SCOPE_NAMES } from '@/core/scopes'
import { db } from '@/db/client'
import { portfolioItems } from '@/db/tables/people'
import { get, post } from './api'
import { makeBadge, makeCaller, makeEvent, makeGroup, makeMember, makeUser } from './make'
import { openReceiver } from './receiver'
import { routes } from './routes'

/** An administrator who owns one of everything, so that a path of any route leads to something. */
export async function makeWorld() {
  const owner = await makeCaller([...SCOPE_NAMES], { role: 'admin' })
  const group = await makeGroup({}, owner.user.id)
  await makeMember(group.id, (await makeUser()).id, 'owner')
  const other = await makeUser()
  const member = await makeMember(group.id, (await makeUser()).id, 'volunteer')
  const event = await makeEvent(group.id)
  const badge = await makeBadge({ groupId: group.id })
  const platformBadge = await makeBadge()
  const [item] = await db
    .insert(portfolioItems)
    .values({ id: newId(), userId: owner.user.id, title: 'A thing' })
    .returning()
  const { token } = owner
  const made = async (path: string, json: object) => (await post(path, { token, json })).body.data
  const key = `test-${randomHex(6)}`
  await made('/v1/admin/achievements', {
    key,
    name: 'x',
    targetValue: 1,
    eventType: 'checkin.created',
    enabled: false,
  })
  const app = await made('/v1/developer/apps', { name: 'App', redirectUris: ['https://app.example/back'] })
  const pass = (await get('/v1/meetpass/qr', { token })).body.data
  const webhook = await made('/v1/developer/webhooks', { url: openReceiver().url })
  const parameters: Record<string, string> = {
    groupId: group.id,
    slug: group.urlname,
    groupSlug: group.urlname,
    memberId: member.id,
    eventId: event.id,
    badgeId: badge.id,
    userId: other.id,
    username: other.username as string,
    clientId: app.clientId,
    key,
    stepKey: 'join_group',
    provider: 'github',
  }
  const ids = Object.entries({ portfolio: item?.id, webhooks: webhook.id, meetpass: pass.id })
  const idOf = (pattern: string) => ids.find(([kind]) => pattern.includes(kind))?.[1] ?? newId()
  return {
    user: owner.user,
    token,
    /** Where a route leads in this world; what it has nothing for is a path that leads nowhere. */
    path: (pattern: string): string =>
      pattern.replace(/:(\w+)/g, (_, name) =>
        name === 'id'
          ? String(idOf(pattern))
          : pattern.startsWith('/v1/admin/badges') && name === 'badgeId'
            ? platformBadge.id
            : (parameters[name] ?? newId()),
      ),
  }
}

/** Routes that read a body. */
export const writingRoutes = routes.filter(
  ({ method, binding }) => binding !== undefined && !['GET', 'DELETE', 'HEAD'].includes(method),
)
