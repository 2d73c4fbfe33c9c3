import { Elysia } from 'elysia'
import { docsAsset, docsPage, toDocs } from './http/docs'
import { front } from './http/front'
import { healthz, readyz } from './http/health'
import { plain } from './http/plain'
import { JSON_TYPE, respondTagged, type Tagged, tagged } from './http/respond'
import { achievementRoutes } from './modules/achievements/routes'
import { adminRoutes } from './modules/admin/routes'
import { badgeRoutes } from './modules/badges/routes'
import { checkinRoutes } from './modules/checkins/routes'
import { claimRoutes } from './modules/claims/routes'
import { developerAppRoutes } from './modules/developer-apps/routes'
import { downloadRoutes } from './modules/downloads/routes'
import { entitlementRoutes } from './modules/entitlements/routes'
import { eventRoutes } from './modules/events/routes'
import { favoriteRoutes } from './modules/favorites/routes'
import { followRoutes } from './modules/follows/routes'
import { grantRoutes } from './modules/grants/routes'
import { groupClaimRoutes } from './modules/group-claims/routes'
import { groupRoutes } from './modules/groups/routes'
import { leaderboardRoutes } from './modules/leaderboards/routes'
import { meRoutes } from './modules/me/routes'
import { oauthRoutes } from './modules/oauth/routes'
import { onboardingRoutes } from './modules/onboarding/routes'
import { portfolioRoutes } from './modules/portfolio/routes'
import { registrationRoutes } from './modules/registration/routes'
import { rsvpRoutes } from './modules/rsvps/routes'
import { schemaRoutes } from './modules/schemas/routes'
import { scopeRoutes } from './modules/scopes/routes'
import { sessionRoutes } from './modules/sessions/routes'
import { signInRoutes } from './modules/sign-in/routes'
import { tokenRoutes } from './modules/tokens/routes'
import { userRoutes } from './modules/users/routes'
import { webhookRoutes } from './modules/webhooks/routes'
import { webAsset } from './web/assets'

/** Every route of the server. No logic lives here. */
export const app = new Elysia({ name: 'app', handler: { standardHostname: false } })
  .use(front)
  .use(meRoutes)
  .use(tokenRoutes)
  .use(sessionRoutes)
  .use(portfolioRoutes)
  .use(onboardingRoutes)
  .use(userRoutes)
  .use(followRoutes)
  .use(groupRoutes)
  .use(favoriteRoutes)
  .use(eventRoutes)
  .use(rsvpRoutes)
  .use(checkinRoutes)
  .use(badgeRoutes)
  .use(claimRoutes)
  .use(groupClaimRoutes)
  .use(entitlementRoutes)
  .use(achievementRoutes)
  .use(leaderboardRoutes)
  .use(adminRoutes)
  .use(oauthRoutes)
  .use(grantRoutes)
  .use(signInRoutes)
  .use(developerAppRoutes)
  .use(registrationRoutes)
  .use(webhookRoutes)
  .use(schemaRoutes)
  .use(downloadRoutes)
  .use(scopeRoutes)
  .get('/', ...plain(toDocs))
  .get('/healthz', ...plain(healthz))
  .get('/readyz', ...plain(readyz))
  .get('/assets/:name', ...plain((visit, { name = '' }) => webAsset(visit, name)))
  .get('/docs', ...plain(docsPage))
  .get('/docs/:asset', ...plain((visit, { asset = '' }) => docsAsset(visit, asset)))
  .get(
    '/openapi.json',
    ...plain(async (visit) => respondTagged(visit, await description(), DESCRIPTION_HEADERS)),
  )

const DESCRIPTION_HEADERS = { 'content-type': JSON_TYPE, 'cache-control': 'no-cache' }

let described: Tagged | undefined

/** Made when somebody first asks: what it takes would only delay the start. */
async function description(): Promise<Tagged> {
  if (described === undefined) {
    const { describeApi } = await import('./http/openapi/describe')
    described = tagged(JSON.stringify(describeApi(app)))
  }
  return described
}
