import { afterAll } from 'bun:test'
import { type AnyElysia, Elysia } from 'elysia'
import { plain } from '@/http/protocol'
import { unmatched } from '@/http/unmatched'
import { webAsset } from '@/web/assets'

/** A server of this file's own, with routes that the real one does not have. */
export function mount(routes: (app: Elysia) => AnyElysia): string {
  const app = new Elysia({ handler: { standardHostname: false } })
    .use(unmatched)
    .get('/assets/:name', ...plain((visit, { name = '' }) => webAsset(visit, name))) as unknown as Elysia
  const { server } = routes(app).listen({ port: 0, hostname: '127.0.0.1' })
  afterAll(() => void server?.stop(true))
  return `http://127.0.0.1:${server?.port}`
}

/** What browsers ask with when somebody goes to an address. */
export const BROWSER = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'sec-fetch-mode': 'navigate',
}

export const HTML = 'text/html; charset=utf-8'
export const JSON_TYPE = 'application/json; charset=utf-8'
