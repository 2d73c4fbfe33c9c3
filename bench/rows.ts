import { crowd, passPath, visitorHeaders } from './crowd'
import { NAMED } from './dataset'
import type { Seed } from './seed'

export type Row = {
  name: string
  request: {
    path: string | ((seed: Seed) => string)
    method?: string
    headers?: (seed: Seed) => Record<string, string>
    body?: string
    /** Another path and other headers for each request: Lua for wrk that sets `path` and `headers`. */
    vary?: string
  }
  /** Comes from many addresses, through a proxy that the server trusts. Before it is measured, all of them have come once. */
  isCrowd?: boolean
  /** The status that every answer has; 200 unless said otherwise. */
  status?: number
  /** The least ratio to a bare server that answers the same, without and with Redis. */
  wanted: { embedded: number; redis: number }
  /** The bare server sends it from a file, as Bun does that best, instead of from memory. */
  isFile?: boolean
  /** Answered without a question to the database, which is then counted as well. */
  withoutDatabase?: boolean
  /** Takes long: measured with `--full` only. */
  full?: boolean
}

/** The first row is also the one whose memory is measured. */
export const rows: [Row, ...Row[]] = [
  {
    name: 'GET /v1/me, token',
    request: { path: '/v1/me', headers: bearer },
    wanted: { embedded: 0.65, redis: 0.5 },
  },
  {
    // An access token is cached as a person's own token is.
    name: 'GET /v1/me, access token of an application',
    request: {
      path: '/v1/me',
      headers: ({ accessToken }) => ({ authorization: `Bearer ${accessToken}` }),
    },
    wanted: { embedded: 0.59, redis: 0.45 },
  },
  {
    name: 'GET /v1/me, invented token (401)',
    request: {
      path: '/v1/me',
      headers: ({ inventedToken }) => ({ authorization: `Bearer ${inventedToken}` }),
    },
    status: 401,
    wanted: { embedded: 0.6, redis: 0.6 },
    withoutDatabase: true,
  },
  {
    name: 'GET /v1/scopes, anonymous',
    request: { path: '/v1/scopes' },
    wanted: { embedded: 0.6, redis: 0.6 },
  },
  {
    name: 'GET /v1/users/{username}',
    request: { path: `/v1/users/${NAMED.username}`, headers: bearer },
    wanted: { embedded: 0.55, redis: 0.42 },
  },
  {
    name: 'GET /v1/users?limit=20',
    request: { path: '/v1/users?limit=20', headers: bearer },
    wanted: { embedded: 0.4, redis: 0.4 },
  },
  {
    name: 'GET /v1/leaderboard',
    request: { path: '/v1/leaderboard', headers: bearer },
    wanted: { embedded: 0.4, redis: 0.4 },
  },
  {
    name: 'GET /v1/leaderboard/movers',
    request: { path: '/v1/leaderboard/movers', headers: bearer },
    wanted: { embedded: 0.4, redis: 0.4 },
  },
  {
    name: 'GET /v1/events?limit=20',
    request: { path: '/v1/events?limit=20', headers: bearer },
    wanted: { embedded: 0.45, redis: 0.35 },
  },
  {
    name: 'GET /v1/public/groups/{slug}',
    request: { path: `/v1/public/groups/${NAMED.urlname}` },
    wanted: { embedded: 0.5, redis: 0.4 },
  },
  {
    name: 'GET /v1/uploads/file/{key}, a picture of 100 KB',
    request: { path: ({ picture }) => `/v1/uploads/file/${picture.key}` },
    wanted: { embedded: 0.75, redis: 0.75 },
    isFile: true,
    withoutDatabase: true,
  },
  {
    name: 'GET /v1/uploads/file/{key}, known already (304)',
    request: {
      path: ({ picture }) => `/v1/uploads/file/${picture.key}`,
      headers: ({ picture }) => ({ 'if-none-match': picture.etag }),
    },
    status: 304,
    wanted: { embedded: 0.75, redis: 0.75 },
    withoutDatabase: true,
  },
  {
    name: 'GET /feeds/events.ics, 1,000 events',
    request: { path: '/feeds/events.ics' },
    wanted: { embedded: 0.65, redis: 0.65 },
    withoutDatabase: true,
  },
  {
    name: 'GET /feeds/events.ics, known already (304)',
    request: { path: '/feeds/events.ics', headers: () => ({ 'if-none-match': '*' }) },
    status: 304,
    wanted: { embedded: 0.75, redis: 0.75 },
    withoutDatabase: true,
  },
  {
    name: 'GET /widget/next-event',
    request: { path: `/widget/next-event?groups=${NAMED.urlname}` },
    wanted: { embedded: 0.55, redis: 0.55 },
    withoutDatabase: true,
  },
  {
    name: 'GET /events/{id} as a page, for strangers',
    request: { path: ({ eventId }) => `/events/${eventId}` },
    wanted: { embedded: 0.5, redis: 0.5 },
    withoutDatabase: true,
  },
  {
    name: 'GET /events/{id} as a page, signed in',
    request: { path: ({ eventId }) => `/events/${eventId}`, headers: signedIn },
    wanted: { embedded: 0.25, redis: 0.25 },
  },
  {
    name: 'GET /groups/{slug} as a page, for strangers',
    request: { path: `/groups/${NAMED.urlname}` },
    wanted: { embedded: 0.5, redis: 0.5 },
    withoutDatabase: true,
  },
  {
    name: 'GET /groups/{slug} as a page, signed in',
    request: { path: `/groups/${NAMED.urlname}`, headers: signedIn },
    wanted: { embedded: 0.25, redis: 0.25 },
  },
  {
    name: 'GET /pass/{id}, a hall: one tap in ten by somebody new',
    request: { path: passPath(0), headers: () => visitorHeaders(0), vary: crowd(0.1) },
    wanted: { embedded: 0.55, redis: 0.45 },
    isCrowd: true,
  },
  {
    name: 'GET /pass/{id}, every tap by somebody new',
    request: { path: passPath(0), headers: () => visitorHeaders(0), vary: crowd(1) },
    wanted: { embedded: 0.55, redis: 0.45 },
    isCrowd: true,
  },
]

function bearer({ token }: Seed) {
  return { authorization: `Bearer ${token}` }
}

function signedIn({ cookie }: Seed) {
  return { cookie }
}
