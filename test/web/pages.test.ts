import { describe, expect, test } from 'bun:test'
import { demand } from '@/core/caller'
import { forbidden } from '@/core/errors'
import { invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { listGrants } from '@/modules/access/grants/actions'
import { html } from '@/web/html'
import { page } from '@/web/page'
import { redirect, redirectAway } from '@/web/redirect'
import { type Answer, call, get, post } from '../support/api'
import { makeCaller, makeSession, makeUser } from '../support/make'
import { HTML, JSON_TYPE, mount } from './mount'

const HOSTILE = `"><script>alert('1')</script>&amp;`

const typeOf = ({ headers }: Answer) => headers.get('content-type')

describe('a page', () => {
  const base = mount((app) =>
    app
      .get(
        '/grants',
        ...page(async (visit) => {
          const { data } = await invoke(visit, listGrants, () => ({}))
          return { title: 'Grants', body: html`<p>${data.length} of them</p>`, width: 'wide' as const }
        }),
      )
      .get(
        '/said',
        ...page(() => ({ title: HOSTILE, body: html`<p title="${HOSTILE}">${[HOSTILE, 7]}</p>` })),
      )
      .post(
        '/said',
        ...page(
          (visit) => {
            demand(visit, 'session')
            throw forbidden('Not you')
          },
          { back: { href: '/said', label: 'Back' } },
        ),
      )
      .get(
        '/broken',
        ...page(() => {
          throw new Error('a secret of the house')
        }),
      ),
  )

  test('shows what an action gives, under the headers of every page', async () => {
    const session = await makeSession((await makeUser()).id)
    const { status, text, headers } = await get('/grants', { base, session })
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      HTML,
      'no-store',
    ])
    expect(text).toContain('<title>Grants · Folkmoot</title>')
    expect(text).toContain('<main id="content" class="wide">\n<p>0 of them</p>')
    expect(headers.get('content-security-policy')).toContain("form-action 'self'")
  })

  test('redirects to sign-in and back to the same address', async () => {
    const nobody = await get('/grants?cursor=a%26b&x=1', { base })
    expect([nobody.status, nobody.headers.get('location'), nobody.headers.get('cache-control')]).toEqual([
      303,
      `/login?returnTo=${encodeURIComponent('/grants?cursor=a%26b&x=1')}`,
      'no-store',
    ])
    expect((await call('HEAD', '/grants', { base })).status).toBe(303)
    // A credential that does not hold is not mended by signing in, nor is one that may less.
    const wrong = await get('/grants', { base, token: 'fm_pat_wrong' })
    expect([wrong.status, typeOf(wrong)]).toEqual([401, HTML])
    const { token } = await makeCaller(['read:events'])
    const lesser = await get('/grants', { base, token })
    expect([lesser.status, typeOf(lesser)]).toEqual([403, HTML])
    // What was sent cannot be sent again by a link.
    const sent = await post('/said', {
      base,
      body: 'a=b',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([sent.status, sent.headers.get('location')]).toEqual([401, null])
    expect(sent.text).toContain('href="/login">Go to sign-in</a>')
  })

  test('escapes all interpolated values, in text and attributes', async () => {
    const { text } = await get('/said', { base })
    const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;'
    expect(text).toContain(`<title>${escaped} · Folkmoot</title>`)
    expect(text).toContain(`<p title="${escaped}">${escaped}7</p>`)
    expect(text).not.toContain('<script')
  })

  test('says a refusal on a page that leads back, and to programs in JSON', async () => {
    const session = await makeSession((await makeUser()).id)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const person = await post('/said', { base, session, body: 'a=b', headers: form })
    expect([person.status, typeOf(person)]).toEqual([403, HTML])
    expect(person.text).toContain('<p>Not you.</p>\n<a class="button wide" href="/said">Back</a>')
    const program = await post('/said', { base, session, json: {} })
    expect([program.status, program.body]).toEqual([403, { error: 'Not you', code: 'forbidden' }])
  })

  test('says a fault of ours by its id alone', async () => {
    const { status, text, headers } = await get('/broken', { base })
    expect([status, headers.get('content-type')]).toEqual([500, HTML])
    expect(text).toContain(headers.get('x-request-id') as string)
    expect(text).not.toContain('secret')
  })
})

describe('a redirect', () => {
  const to = (visit: Visit) => new URL(visit.request.url).searchParams.get('to') as string
  const base = mount((app) =>
    app
      .get('/here', ...page((visit) => redirect(visit, 303, to(visit), ['a=1', 'b=2'])))
      .get('/away', ...page((visit) => redirectAway(visit, 302, to(visit)))),
  )
  const go = (path: string, where: string) => get(`${path}?to=${encodeURIComponent(where)}`, { base })

  test('within this server has a local path, keeps cookies, and is not cached', async () => {
    const { status, headers } = await go('/here', '/login?returnTo=%2Fx')
    expect([status, headers.get('location'), headers.get('cache-control'), headers.getSetCookie()]).toEqual([
      303,
      '/login?returnTo=%2Fx',
      'no-store',
      ['a=1', 'b=2'],
    ])
  })

  test('within this server never leaves it, for any path', async () => {
    for (const where of [
      ...[
        'https://evil.example',
        '//evil.example',
        '/\\evil.example',
        '/%2fevil.example',
        '/.//evil.example',
      ],
      ...['evil', '', 'javascript:alert(1)', '/a b', '/\u0000', '/a\r\nset-cookie: x=1', '/..//evil.example'],
    ]) {
      const { status, headers } = await go('/here', where)
      expect([where, status, headers.get('location'), headers.getSetCookie()]).toEqual([where, 500, null, []])
    }
    const away = await go('/away', 'https://app.example/callback?code=1')
    expect([away.status, away.headers.get('location')]).toEqual([302, 'https://app.example/callback?code=1'])
    expect(typeOf(away)).not.toBe(JSON_TYPE)
  })
})

test("assets of another version are served as today's, uncached", async () => {
  const { text } = await get('/', { headers: { accept: 'text/html' } })
  const styles = /href="(\/assets\/folkmoot-[^"]+\.css)"/.exec(text)?.[1] as string
  const now = await get(styles)
  expect([now.status, now.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
  const before = await get('/assets/folkmoot-0000000000000.css')
  expect([before.status, before.headers.get('cache-control')]).toEqual([200, 'no-cache'])
  expect(before.text).toBe(now.text)
  const script = await get('/assets/copy-0000000000000.js')
  expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
  for (const name of ['folkmoot-0.js', 'copy-0.css', 'nothing-0.js', 'folkmoot.css', 'toString-0.js'])
    expect([name, (await get(`/assets/${name}`)).status]).toEqual([name, 404])
})
