import type { AnyElysia } from 'elysia'
import { credentialsArea } from './auth/area'
import type { Schedule, Sweep } from './core/sweep'
import { databaseArea } from './db/area'
import type { DownloadKind } from './http/downloads/address'
import type { DatabaseMetrics } from './http/metrics/shared'
import { backupLines, unfinishedLines } from './http/metrics/unfinished'
import { jobsArea } from './jobs/area'
import type { Job } from './jobs/job'
import { mailArea } from './mail/area'
import type { Letter } from './mail/letter'
import type { Resource } from './mcp/resource'
import type { Tool } from './mcp/tool'
import { TOOL_ORDER } from './mcp/tool-order'
import { developerAppsArea } from './modules/access/developer-apps/area'
import { feedTokensArea } from './modules/access/feed-tokens/area'
import { grantsArea } from './modules/access/grants/area'
import { oauthArea } from './modules/access/oauth/area'
import { clientRegistrationArea } from './modules/access/oauth/client-registration/area'
import { scopesArea } from './modules/access/scopes/area'
import { sessionsArea } from './modules/access/sessions/area'
import { signInArea } from './modules/access/sign-in/area'
import type { SignInHook } from './modules/access/sign-in/people/start-session'
import { tokensArea } from './modules/access/tokens/area'
import { addressChangeArea } from './modules/account/address-change/area'
import { digestArea } from './modules/account/digest/area'
import { meArea } from './modules/account/me/area'
import { notificationsArea } from './modules/account/notifications/area'
import { onboardingArea } from './modules/account/onboarding/area'
import { preferencesArea } from './modules/account/preferences/area'
import { dataExportArea } from './modules/account/privacy/export/area'
import { profilesArea } from './modules/account/profiles/area'
import { auditLogArea } from './modules/administration/audit-log/area'
import { administeredGroupsArea } from './modules/administration/groups/area'
import { administeredJobsArea } from './modules/administration/jobs/area'
import { administeredUsersArea } from './modules/administration/users/area'
import { entitlementsArea } from './modules/community/entitlements/area'
import { favoritesArea } from './modules/community/favorites/area'
import { groupClaimsArea } from './modules/community/group-claims/area'
import { groupsArea } from './modules/community/groups/area'
import type { PublishedShape } from './modules/developers/schemas/catalogue'
import { webhooksArea } from './modules/developers/webhooks/area'
import { checkinsArea } from './modules/gatherings/checkins/area'
import { eventsArea } from './modules/gatherings/events/area'
import { feedsArea } from './modules/gatherings/feeds/area'
import { websubArea } from './modules/gatherings/feeds/websub/area'
import { noticesArea } from './modules/gatherings/notices/area'
import { organizingArea } from './modules/gatherings/organizing/area'
import { passSheetsArea } from './modules/gatherings/pass-sheets/area'
import { rsvpsArea } from './modules/gatherings/rsvps/area'
import { widgetsArea } from './modules/gatherings/widgets/area'
import { cardArea } from './modules/passes/card/area'
import { connectionsArea } from './modules/passes/connections/area'
import { designsArea } from './modules/passes/designs/area'
import { passesArea } from './modules/passes/passes/area'
import { symbolsArea } from './modules/passes/symbols/area'
import { tagsArea } from './modules/passes/tags/area'
import { tapsArea } from './modules/passes/tap/area'
import { followsArea } from './modules/people/follows/area'
import { portfolioArea } from './modules/people/portfolio/area'
import { uploadsArea } from './modules/people/uploads/area'
import type { PicturePlace } from './modules/people/uploads/uses/queries'
import { usersArea } from './modules/people/users/area'
import { achievementsArea } from './modules/recognition/achievements/area'
import { badgesArea } from './modules/recognition/badges/area'
import { claimsArea } from './modules/recognition/claims/area'
import { leaderboardsArea } from './modules/recognition/leaderboards/area'
import { storageArea } from './outbound/storage/area'
import { outboxArea } from './outbox/area'
import type { Listener } from './outbox/listener'

/** Everything a feature folder registers. */
type Area = {
  routes?: AnyElysia
  /** Agent tools, by name. */
  tools?: Record<string, Tool>
  /** MCP resources. */
  resources?: Resource[]
  /** Response schemas to publish as JSON Schema. */
  shapes?: PublishedShape[]
  /** Listeners to domain events. */
  listeners?: Listener[]
  /** Emails. Untyped, because each `Letter` has its own data type. */
  letters?: unknown[]
  /** Long-running work on request. */
  jobs?: Job[]
  /** Periodic work. */
  schedules?: Schedule[]
  /** Deletion of expired rows. */
  sweeps?: Sweep[]
  /** Files generated on request. */
  downloads?: DownloadKind[]
  /** Columns that store picture URLs. */
  pictures?: PicturePlace[]
  /** Prometheus lines from the database. */
  metrics?: DatabaseMetrics[]
  /** Called when a person signs in with a browser. */
  signInHooks?: SignInHook[]
}

const withoutUploads: Area[] = [
  databaseArea,
  outboxArea,
  credentialsArea,
  jobsArea,
  mailArea,
  storageArea,
  meArea,
  dataExportArea,
  addressChangeArea,
  tokensArea,
  feedTokensArea,
  sessionsArea,
  portfolioArea,
  onboardingArea,
  notificationsArea,
  preferencesArea,
  profilesArea,
  followsArea,
  groupsArea,
  favoritesArea,
  eventsArea,
  organizingArea,
  rsvpsArea,
  feedsArea,
  websubArea,
  checkinsArea,
  passSheetsArea,
  widgetsArea,
  tapsArea,
  badgesArea,
  claimsArea,
  groupClaimsArea,
  entitlementsArea,
  achievementsArea,
  leaderboardsArea,
  connectionsArea,
  passesArea,
  cardArea,
  administeredUsersArea,
  administeredGroupsArea,
  auditLogArea,
  administeredJobsArea,
  oauthArea,
  grantsArea,
  signInArea,
  developerAppsArea,
  clientRegistrationArea,
  webhooksArea,
  symbolsArea,
  tagsArea,
  designsArea,
  digestArea,
  noticesArea,
  usersArea,
]

export const pictures = withoutUploads.flatMap((area) => area.pictures ?? [])

/**
 * All areas. A new one is a folder with an `area.ts` and a line above. `uploadsArea` comes after those because it needs their
 * `pictures`. Reordering areas also reorders docs/openapi.json and the sweeps.
 */
const areas: Area[] = [...withoutUploads, uploadsArea(pictures), scopesArea]

const all = <K extends keyof Area>(key: K) => areas.flatMap((area) => area[key] ?? []) as Required<Area>[K]

/** Sorts tools by `TOOL_ORDER`; unlisted ones come last. */
function sortedTools(): Tool[] {
  const byName: Record<string, Tool> = Object.assign({}, ...areas.map(({ tools }) => tools))
  return [...new Set([...TOOL_ORDER, ...Object.keys(byName)])].map((name) => byName[name] as Tool)
}

export const routes = areas.flatMap((area) => area.routes ?? [])
export const tools = sortedTools()
export const resources = all('resources')
export const shapes = all('shapes')
export const listeners = all('listeners')
export const letters = all('letters') as Letter[]
export const jobs = all('jobs')
export const schedules = all('schedules')
export const sweeps = all('sweeps')
export const downloads = all('downloads')
export const databaseMetrics = [...all('metrics'), backupLines, unfinishedLines(sweeps)]
export const signInHooks = all('signInHooks')
