import { type AnyElysia, Elysia } from 'elysia'
import { downloads, resources, routes, shapes, signInHooks, tools } from './areas'
import { docsAsset, docsPage, guidePage, guidesPage } from './http/docs'
import { downloadRoutes } from './http/downloads/routes'
import { healthz, readyz } from './http/health'
import { learnReaders } from './http/if-match'
import { plain } from './http/protocol'
import { useErrorPages } from './http/refuse'
import { JSON_TYPE, respondTagged, type Tagged, tagged } from './http/respond'
import { OPEN, PROBE } from './http/route-traits'
import { learnRoutes } from './http/routes-near'
import { unmatched } from './http/unmatched'
import { prompts } from './mcp/prompts'
import { mcpRoutes } from './mcp/routes'
import { useSignInHooks } from './modules/access/sign-in/people/start-session'
import { schemaRoutes } from './modules/developers/schemas/routes'
import { llms } from './site/llms'
import { robots } from './site/robots'
import { siteRoutes } from './site/routes'
import { surroundings } from './site/surroundings'
import { webAsset } from './web/assets'
import { errorPage } from './web/error-page'
import { respondPage } from './web/layout'
import { useSurroundings } from './web/surroundings'

/** A chain of all their types would be too long for the compiler. */
const areaRoutes = [
  ...routes,
  mcpRoutes({ tools, resources, prompts }),
  schemaRoutes(shapes),
  downloadRoutes(downloads),
].reduce((all, each) => all.use(each), new Elysia() as AnyElysia)

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
useSignInHooks(signInHooks)
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
