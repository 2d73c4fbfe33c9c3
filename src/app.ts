import { type AnyElysia, Elysia } from 'elysia'
import { arrivals } from './arrivals'
import { downloads } from './downloads'
import { docsAsset, docsPage, guidePage, guidesPage } from './http/docs'
import { downloadRoutes } from './http/downloads/routes'
import { healthz, readyz } from './http/health'
import { learnReaders } from './http/if-match'
import { plain } from './http/plain'
import { useErrorPages } from './http/refuse'
import { JSON_TYPE, respondTagged, type Tagged, tagged } from './http/respond'
import { OPEN, PROBE } from './http/route-traits'
import { learnRoutes } from './http/routes-near'
import { unmatched } from './http/unmatched'
import { llms } from './llms'
import { mcpRoutes } from './mcp/routes'
import { developerAppRoutes } from './modules/access/developer-apps/routes'
import { feedTokenRoutes } from './modules/access/feed-tokens/routes'
import { grantRoutes } from './modules/access/grants/routes'
import { registrationRoutes } from './modules/access/oauth/client-registration/routes'
import { oauthRoutes } from './modules/access/oauth/routes'
import { scopeRoutes } from './modules/access/scopes/routes'
import { sessionRoutes } from './modules/access/sessions/routes'
import { useArrivals } from './modules/access/sign-in/people/arrivals'
import { signInRoutes } from './modules/access/sign-in/routes'
import { tokenRoutes } from './modules/access/tokens/routes'
import { addressChangeRoutes } from './modules/account/address-change/routes'
import { meRoutes } from './modules/account/me/routes'
import { notificationRoutes } from './modules/account/notifications/routes'
import { onboardingRoutes } from './modules/account/onboarding/routes'
import { preferenceRoutes } from './modules/account/preferences/routes'
import { exportRoutes } from './modules/account/privacy/export/routes'
import { userRoutes } from './modules/account/profiles/routes'
import { auditLogRoutes } from './modules/administration/audit-log/routes'
import { administeredGroupRoutes } from './modules/administration/groups/routes'
import { jobRoutes } from './modules/administration/jobs/routes'
import { administeredUserRoutes } from './modules/administration/users/routes'
import { entitlementRoutes } from './modules/community/entitlements/routes'
import { favoriteRoutes } from './modules/community/favorites/routes'
import { groupClaimRoutes } from './modules/community/group-claims/routes'
import { groupRoutes } from './modules/community/groups/routes'
import { schemaRoutes } from './modules/developers/schemas/routes'
import { webhookRoutes } from './modules/developers/webhooks/routes'
import { checkinRoutes } from './modules/gatherings/checkins/routes'
import { eventRoutes } from './modules/gatherings/events/routes'
import { feedRoutes } from './modules/gatherings/feeds/routes'
import { websubRoutes } from './modules/gatherings/feeds/websub/routes'
import { organizingRoutes } from './modules/gatherings/organizing/routes'
import { passSheetRoutes } from './modules/gatherings/pass-sheets/routes'
import { rsvpRoutes } from './modules/gatherings/rsvps/routes'
import { widgetRoutes } from './modules/gatherings/widgets/routes'
import { cardRoutes } from './modules/passes/card/routes'
import { connectionRoutes } from './modules/passes/connections/routes'
import { designRoutes } from './modules/passes/designs/routes'
import { passRoutes } from './modules/passes/passes/routes'

import { symbolRoutes } from './modules/passes/symbols/routes'
import { tagRoutes } from './modules/passes/tags/routes'
import { tapRoutes } from './modules/passes/tap/routes'
import { followRoutes } from './modules/people/follows/routes'
import { portfolioRoutes } from './modules/people/portfolio/routes'
import { uploadRoutes } from './modules/people/uploads/routes'
import { achievementRoutes } from './modules/recognition/achievements/routes'
import { badgeRoutes } from './modules/recognition/badges/routes'
import { claimRoutes } from './modules/recognition/claims/routes'
import { leaderboardRoutes } from './modules/recognition/leaderboards/routes'
import { prompts } from './prompts'
import { resources } from './resources'
import { robots } from './robots'
import { shapes } from './shapes'
import { siteRoutes } from './site/routes'
import { surroundings } from './site/surroundings'
import { tools } from './tools'
import { webAsset } from './web/assets'
import { errorPage } from './web/error-page'
import { respondPage } from './web/layout'
import { useSurroundings } from './web/surroundings'

/** What the areas offer. A chain of all their types would be too long for the compiler. */
const areaRoutes: AnyElysia = new Elysia()
  .use(meRoutes)
  .use(exportRoutes)
  .use(addressChangeRoutes)
  .use(tokenRoutes)
  .use(feedTokenRoutes)
  .use(sessionRoutes)
  .use(portfolioRoutes)
  .use(onboardingRoutes)
  .use(notificationRoutes)
  .use(preferenceRoutes)
  .use(userRoutes)
  .use(followRoutes)
  .use(groupRoutes)
  .use(favoriteRoutes)
  .use(eventRoutes)
  .use(organizingRoutes)
  .use(rsvpRoutes)
  .use(feedRoutes)
  .use(websubRoutes)
  .use(checkinRoutes)
  .use(passSheetRoutes)
  .use(widgetRoutes)
  .use(tapRoutes)
  .use(badgeRoutes)
  .use(claimRoutes)
  .use(groupClaimRoutes)
  .use(entitlementRoutes)
  .use(achievementRoutes)
  .use(leaderboardRoutes)
  .use(connectionRoutes)
  .use(passRoutes)
  .use(cardRoutes)
  .use(administeredUserRoutes)
  .use(administeredGroupRoutes)
  .use(auditLogRoutes)
  .use(jobRoutes)
  .use(oauthRoutes)
  .use(mcpRoutes({ tools, resources, prompts }))
  .use(grantRoutes)
  .use(signInRoutes)
  .use(developerAppRoutes)
  .use(registrationRoutes)
  .use(webhookRoutes)
  .use(schemaRoutes(shapes))
  .use(symbolRoutes)
  .use(tagRoutes)
  .use(designRoutes)
  .use(uploadRoutes)
  .use(downloadRoutes(downloads))
  .use(scopeRoutes)

const documentRoutes = new Elysia()
  .get('/robots.txt', ...plain(robots))
  .get('/llms.txt', ...plain(llms))
  .get('/healthz', ...plain(healthz, PROBE))
  .get('/readyz', ...plain(readyz, PROBE))
  .get('/assets/:name', ...plain((visit, { name = '' }) => webAsset(visit, name)))
  .get('/docs', ...plain(docsPage))
  .get('/docs/guides', ...plain(guidesPage))
  .get('/docs/guides/:name', ...plain((visit, { name = '' }) => guidePage(visit, name)))
  .get('/docs/:asset', ...plain((visit, { asset = '' }) => docsAsset(visit, asset)))
  .get(
    '/openapi.json',
    ...plain(async (visit) => respondTagged(visit, await description(), DESCRIPTION_HEADERS), OPEN),
  )

/** Every route of the server. No logic lives here. */
export const app = new Elysia({ name: 'app', handler: { standardHostname: false } })
  .use(unmatched)
  .use(areaRoutes)
  .use(siteRoutes)
  .use(documentRoutes)

learnRoutes(app.routes)
learnReaders(app.routes)
useArrivals(arrivals)
useErrorPages((visit, error) => respondPage(visit, errorPage(visit, error)))
useSurroundings(surroundings)

const DESCRIPTION_HEADERS = { 'content-type': JSON_TYPE, 'cache-control': 'no-cache' }

let described: Tagged | undefined

/** The OpenAPI document is made on the first request for it: making it would only delay the start. */
async function description(): Promise<Tagged> {
  if (described === undefined) {
    const { describeApi } = await import('./http/openapi/describe')
    described = tagged(JSON.stringify(describeApi(app)))
  }
  return described
}
