import { describe, expect, test } from 'bun:test'
import { type Answer, call, get, post } from '../support/api'
import { BROWSER, HTML, JSON_TYPE } from './mount'
import { STATUSES, serveErrors } from './refusing'

const typeOf = ({ headers }: Answer) => headers.get('content-type')

describe('an unknown address', () => {
  test('is a page to a browser, with a way on, and nothing of what was asked', async () => {
    const { status, headers, text } = await get('/no-such-place?marker=here', { headers: BROWSER })
    expect([status, headers.get('content-type'), headers.get('cache-control'), headers.get('vary')]).toEqual([
      404,
      HTML,
      'no-store',
      'Accept',
    ])
    expect(headers.get('content-security-policy')).toStartWith("default-src 'none'; style-src 'self'")
    expect(text).toContain('<h1>There is nothing here</h1>')
    expect(text).toContain('href="/">Go to the home page</a>')
    expect(text).not.toMatch(/no-such-place|marker|<script/)
    const head = await call('HEAD', '/no-such-place', { headers: BROWSER })
    expect([head.status, typeOf(head), head.text]).toEqual([404, HTML, ''])
  })

  test('is JSON to programs, and says that it depends on who asks', async () => {
    for (const headers of [{} as Record<string, string>, { accept: '*/*' }, { accept: 'application/json' }]) {
      const answer = await get('/no-such-place', { headers })
      expect([answer.status, answer.text]).toEqual([404, '{"error":"Page not found","code":"not_found"}'])
      expect([typeOf(answer), answer.headers.get('vary')]).toEqual([JSON_TYPE, 'Accept'])
    }
    const sent = await post('/no-such-place', { headers: BROWSER, body: 'a=b' })
    expect([sent.status, typeOf(sent), sent.headers.get('vary')]).toEqual([404, JSON_TYPE, null])
  })

  test('near API addresses stays JSON, regardless of Accept', async () => {
    for (const path of [
      ...['/v1', '/v1/', '/v1/nowhere', '/v1/me/nowhere', '/mcp/nowhere', '/.well-known/nowhere'],
      ...['/oauth/token', '/oauth/token/nowhere', '/oauth/register/nowhere/there', '/openapi.json/nowhere'],
      ...['/healthz/nowhere', '/downloads/nowhere', '/downloads/no/where'],
    ]) {
      const answer = await get(path, { headers: BROWSER })
      expect([path, answer.status, typeOf(answer)]).toEqual([path, 404, JSON_TYPE])
      expect([path, answer.headers.get('vary')]).not.toEqual([path, 'Accept'])
    }
  })

  test('near pages, documents and assets is a page', async () => {
    for (const path of ['/settings/nowhere', '/auth', '/login/nowhere', '/docs/nowhere', '/assets/x.css'])
      expect([path, typeOf(await get(path, { headers: BROWSER }))]).toEqual([path, HTML])
  })
})

test('Accept is parsed by RFC 9110', async () => {
  for (const [accept, isPage] of [
    ['text/html', true],
    ['TEXT/HTML ; Q=0.9, application/json;q=0.1', true],
    ['text/*', true],
    ['text/html;q=0.3, */*;q=0.2', true],
    ['text/html, application/json', false],
    ['application/json, text/html;q=0.9', false],
    ['text/html;q=0.5, */*', false],
    ['text/html;q=0, text/plain', false],
    ['text/html;q=x, */*;q=0', false],
    ['image/avif,image/webp,*/*;q=0.8', false],
    ['application/json, text/plain, */*', false],
    ['', false],
    [',;=,q=1', false],
    [`${'text/html;q=0,'.repeat(500)}text/html`, true],
  ] as [string, boolean][]) {
    const answer = await get('/no-such-place', { headers: { accept } })
    expect([accept, typeOf(answer)]).toEqual([accept, isPage ? HTML : JSON_TYPE])
  }
})

describe('a refusal', () => {
  const base = serveErrors()
  const open = (status: string | number, headers: Record<string, string> = BROWSER) =>
    get(`/papers/${status}?marker=here`, { base, headers })

  test('has a page for each status, with a title, the sentence and one way on', async () => {
    const said: Record<string, string[]> = {}
    for (const status of STATUSES) {
      const answer = await open(status)
      expect([answer.status, typeOf(answer), answer.headers.get('vary')]).toEqual([
        Number(status),
        HTML,
        'Accept',
      ])
      const [, title = '', text = '', href = '', label = ''] =
        /<h1>([^<]*)<\/h1>\n<p>([^<]*)<\/p>[\s\S]*class="button wide" href="([^"]*)">([^<]*)</.exec(
          answer.text,
        ) ?? []
      said[status] = [title, text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, 'ID'), href, label]
      expect(answer.text).not.toMatch(/marker|secret of the house|token/)
    }
    expect(said).toEqual({
      400: ['That did not work', 'The cursor is not one of this list.', '/', 'Go to the home page'],
      401: ['You are not signed in', 'Sign in to go on.', '/login', 'Go to sign-in'],
      403: ['This cannot be done', 'Only its owner may.', '/', 'Go to the home page'],
      404: [
        'There is nothing here',
        'Event not found. The address may be mistyped, or what was here has been moved or deleted.',
        '/',
        'Go to the home page',
      ],
      409: ['That did not work', 'Somebody was faster.', '/', 'Go to the home page'],
      410: ['This no longer works', 'This link has expired.', '/', 'Go to the home page'],
      429: [
        'Please wait a moment',
        'Too many requests: try again in 40 seconds. Nothing is lost. This page retries automatically.',
        '',
        'Try again',
      ],
      500: [
        'Something went wrong',
        'Something went wrong on our side; please mention ID when you report it.',
        '',
        'Try again',
      ],
      503: [
        'Please try again in a moment',
        'The service is busy or restarting: try again in a moment. Nothing is lost. This page retries automatically.',
        '',
        'Try again',
      ],
    })
  })

  test('keeps its headers, and a fault its id', async () => {
    const limited = await open(429)
    expect([limited.headers.get('retry-after'), limited.headers.get('refresh')]).toEqual(['40', '40'])
    const { headers, text } = await open(500)
    expect(text).toContain(`<code>${headers.get('x-request-id')}</code>`)
  })

  test('is said in the language of the reader', async () => {
    const german = { ...BROWSER, 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' }
    const { text, headers } = await open(500, german)
    expect(text).toContain('<html lang="de">')
    expect(text).toContain('Da ist etwas schiefgegangen')
    expect(text).toContain(`Anfrage <code>${headers.get('x-request-id')}</code>`)
    expect((await open(429, german)).text).toContain('Diese Seite versucht es von selbst noch einmal')
  })

  test('is the same JSON as ever to programs, and at the API to everyone', async () => {
    const answer = await open(410, {})
    expect([answer.status, answer.body]).toEqual([410, { error: 'This link has expired', code: 'gone' }])
    const api = await get('/v1/papers', { base, headers: BROWSER })
    expect([api.status, typeOf(api), api.headers.get('vary')]).toEqual([401, JSON_TYPE, 'Origin'])
  })
})
