import { config } from '@/config/config'
import { randomHex } from '@/core/codes'
import { newId } from '@/core/ids'
import { SCOPE_NAMES, type Scope } from '@/core/scopes'
import { db } from '@/db/client'
import { entitlements } from '@/db/tables/administration'
import { badgeAwards, claimLinks } from '@/db/tables/badges'
import { checkinCodes, checkins, rsvps } from '@/db/tables/events'
import { identities } from '@/db/tables/sign-in'
import { webhookMessages } from '@/db/tables/webhooks'
import { FORMATS } from '@/modules/gatherings/feeds/feed'
import { dropCaches } from '@/outbox/bus'
import {
  authorizePath,
  type MadeClient,
  makeOwnedClient,
  makeTokens,
  requestOf,
  sealOf,
} from '../modules/access/oauth/fixtures'
import { rowsFor } from '../modules/developers/webhooks/fixtures'
import { connect, makeTag } from '../modules/passes/fixtures'
import { get, post } from '../support/api'
import {
  type MadeUser,
  makeAdmin,
  makeBadge,
  makeCaller,
  makeEvent,
  makeGroup,
  makeMember,
  makeSession,
  makeUser,
} from '../support/make'
import { makeUpload } from '../support/make-upload'
import { formTokenIn } from '../support/visitor'

export const KINDS = ['administrator', 'organiser', 'member', 'session', 'application'] as const
export type Kind = (typeof KINDS)[number]

export type Actor = { headers: Record<string, string>; username?: string }

/** Names of things by the parameter that they stand for, or by all of the path up to it; `?` for queries, `=` for bodies. */
export type Names = Record<string, string[]>

export type World = { actors: Record<Kind, Actor[]>; names: Names }

const PROVIDERS = ['github', 'google', 'discord']
const EVERY = SCOPE_NAMES.filter((name) => name !== 'admin') as Scope[]
const bearer = (token: string): Actor => ({ headers: { authorization: `Bearer ${token}` } })
const signedIn = async ({ id, username }: MadeUser): Promise<Actor> => ({
  headers: { cookie: `session=${await makeSession(id)}`, 'sec-fetch-site': 'same-origin' },
  username: username ?? undefined,
})

/** People in every position, and at least one of everything that has a name. */
export async function makeWorld(): Promise<World> {
  const many = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make))
  const administrators = await many(6, makeAdmin)
  const organisers = await many(5, () => makeCaller(EVERY))
  const members = await many(4, () => makeCaller(EVERY))
  const [first] = organisers as [(typeof organisers)[0]]
  const [admin] = administrators as [(typeof administrators)[0]]
  const group = await makeGroup({ maxBadges: 200 }, first.user.id)
  const staff = []
  for (const { user } of organisers.slice(1)) staff.push(await makeMember(group.id, user.id, 'owner'))
  const other = await makeGroup()
  const unlisted = await makeGroup({ isListed: false })
  const events = [
    await makeEvent(group.id, { maxAttendees: 2 }),
    await makeEvent(group.id, { status: 'draft', publishedAt: null }),
    await makeEvent(unlisted.id),
  ]
  const badges = [
    await makeBadge({ groupId: group.id }),
    await makeBadge(),
    await makeBadge({ hidden: true }),
  ]
  const code = randomHex(4).toUpperCase()
  const owned = members.map(({ user }) => ({
    id: newId(),
    userId: user.id,
    entitlement: 'beta',
    source: 'admin',
  }))
  await db.insert(entitlements).values(owned)
  const [codeId, linkId] = [newId(), newId()]
  await db.insert(checkinCodes).values({ id: codeId, eventId: events[0]?.id as string, code })
  const eventId = events[0]?.id as string
  for (const [i, { user }] of members.slice(0, 2).entries()) {
    await db.insert(rsvps).values({ id: newId(), eventId, userId: user.id, status: 'confirmed' })
    if (i === 0) await db.insert(checkins).values({ id: newId(), eventId, userId: user.id, method: 'link' })
  }
  const atTheDoor = await many(4, () =>
    post(`/v1/manage/groups/${group.id}/events/${eventId}/guests`, {
      token: first.token,
      json: { name: `Walk-in ${randomHex(4)}` },
    }),
  )
  const link = randomHex(6)
  await db.insert(claimLinks).values({ id: linkId, badgeId: badges[0]?.id as string, code: link })
  for (const { user } of members.slice(0, 2))
    for (const { id: badgeId } of badges)
      await db.insert(badgeAwards).values({ id: newId(), badgeId, userId: user.id, source: 'admin' })
  dropCaches()
  const invite = await post(`/v1/admin/groups/${other.id}/claim-invites`, { token: admin.token, json: {} })
  const sessions = await Promise.all(
    [await makeUser(), await makeUser(), first.user, admin.user].map((user) => signedIn(user)),
  )
  const file = await post(`/v1/manage/groups/${group.id}/events/${events[0]?.id}/attendees/export`, {
    token: first.token,
  })
  for (const provider of PROVIDERS)
    await db
      .insert(identities)
      .values({ id: newId(), userId: first.user.id, provider, subject: randomHex(8) })
  const webhook = await post('/v1/developer/webhooks', {
    token: admin.token,
    json: { url: 'http://127.0.0.1:9/hook' },
  })
  const messages = rowsFor(webhook.body.data.id, 3)
  await db.insert(webhookMessages).values(messages)
  const tags = [
    await makeTag(),
    ...(await Promise.all(organisers.map(({ user }) => makeTag({ ownerId: user.id })))),
  ]
  const met = await Promise.all(organisers.map(({ user }) => connect(user.id, members[0]?.user.id as string)))
  const files = await Promise.all(organisers.map(({ user }) => makeUpload(user.id)))
  const qrPasses = await Promise.all(organisers.map(({ token }) => get('/v1/meetpass/qr', { token })))
  const feedToken = await get('/v1/profile/feed-token', { token: first.token })
  const client = await makeOwnedClient({ authMethod: 'none', secretHash: null })
  const scope = EVERY.join(' ')
  const tokens = [await makeTokens(client, { scope }), await makeTokens(client, { scope })]
  return {
    actors: {
      administrator: administrators.map(({ token }) => bearer(token)),
      organiser: organisers.map(({ token }) => bearer(token)),
      member: members.map(({ token }) => bearer(token)),
      session: sessions,
      application: tokens.map(({ access }) => bearer(access)),
    },
    names: {
      username: [...organisers, ...members].map(({ user }) => user.username as string),
      userId: members.map(({ user }) => user.id),
      groupId: [group.id, group.id, group.id, other.id],
      memberId: staff.map(({ id }) => id),
      guestId: atTheDoor.map(({ body }) => body.data.guestId),
      '/v1/manage/groups/{groupId}/events/{eventId}/guests/': atTheDoor.map(({ body }) => body.data.guestId),
      slug: [group.urlname, other.urlname, unlisted.urlname],
      groupSlug: [group.urlname, other.urlname, unlisted.urlname],
      eventId: events.map(({ id }) => id),
      badgeId: badges.map(({ id }) => id),
      code: [code],
      '/v1/claim/': [link],
      '/v1/manage/groups/{groupId}/events/': events.slice(0, 2).map(({ id }) => id),
      '/v1/manage/groups/{groupId}/badges/': [badges[0]?.id as string],
      '/v1/manage/groups/{groupId}/checkin-codes/': [codeId],
      '/v1/manage/groups/{groupId}/claim-links/': [linkId],
      '/v1/admin/users/{userId}/entitlements/': owned.map(({ id }) => id),
      '/v1/badges/': badges.map(({ slug }) => slug),
      '/v1/admin/badges/': badges.slice(1).map(({ id }) => id),
      token: [
        String(invite.body?.data?.url ?? '')
          .split('/')
          .at(-1) || 'none',
      ],
      '/v1/meetpass/': [...tags, ...qrPasses.map(({ body }) => body.data.id)],
      '/v1/meetpass/connections/': met,
      '/pass/': tags,
      '/v1/uploads/': files.map(({ key }) => key),
      '/v1/uploads/file/': files.map(({ key }) => key),
      format: [...FORMATS],
      feedToken: [feedToken.body.data.feedToken],
      '?url': [`${config.baseUrl}/groups/${group.urlname}`, `${config.baseUrl}/events/${eventId}`],
      '=hub.topic': [
        `${config.baseUrl}/feeds/events.rss`,
        `${config.baseUrl}/feeds/groups/${group.urlname}.ics`,
      ],
      '=hub.callback': ['http://127.0.0.1:9/cb'],
      '/downloads/': [file.body.data.url.split('/').at(-1)],
      stepKey: ['follow_user', 'join_group'],
      key: ['explorer'],
      name: ['event.published', 'user.updated'],
      provider: PROVIDERS,
      '/v1/developer/webhooks/': [webhook.body.data.id],
      messageId: messages.map(({ id }) => id),
      clientId: [client.clientId],
      '?confirm': [other.urlname],
      ...named('?', requestOf(client)),
      '=client_id': [client.clientId],
      '=token': tokens.flatMap(({ access, refresh }) => [access, refresh]),
      '=grant_type': ['refresh_token'],
      '=refresh_token': tokens.map(({ refresh }) => refresh),
      '=scope': ['read:user'],
      '=resource': ['http://localhost'],
      '=userId': members.map(({ user }) => user.id),
      '=request': await Promise.all(sessions.map((actor) => sealFor(actor, client))),
      '=decision': ['allow', 'deny'],
      '=csrf': await Promise.all(sessions.map(csrfFor)),
    },
  }
}

/** Parameters as names of a query. */
const named = (mark: string, fields: Record<string, string | undefined>): Names =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [mark + name, [value ?? '']]))

/** The question that a page would put to this person. */
const sealFor = async ({ headers }: Actor, client: MadeClient): Promise<string> =>
  sealOf(await get(authorizePath(requestOf(client)), { headers }))

/** What a form that a page would show to this person holds. */
const csrfFor = async ({ headers }: Actor): Promise<string> =>
  formTokenIn(await get('/manage/groups/new', { headers: { ...headers, accept: 'text/html' } })) as string
