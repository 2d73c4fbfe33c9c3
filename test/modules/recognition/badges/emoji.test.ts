import { describe, expect, test } from 'bun:test'
import { emojiUrl } from '@/http/emoji'
import { get, patch, post } from '../../../support/api'
import { makeStaffedGroup, newBadge } from './fixtures'

describe('pictures of emoji', () => {
  test('are there for every kind of emoji, under the names of the set', () => {
    const cases: [string, string | null][] = [
      ['😀', '1f600'],
      // With and without the sign that asks for a picture.
      ['❤️', '2764'],
      ['❤', '2764'],
      ['🛠️', '1f6e0'],
      ['#️⃣', '23-20e3'],
      ['🇩🇪', '1f1e9-1f1ea'],
      ['👍🏽', '1f44d-1f3fd'],
      ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', '1f3f4-e0067-e0062-e0065-e006e-e0067-e007f'],
      // Joined ones keep the sign in their names, but for the one that does not.
      ['🏳️‍🌈', '1f3f3-fe0f-200d-1f308'],
      ['👁️‍🗨️', '1f441-200d-1f5e8'],
      ['👩🏽‍🚀', '1f469-1f3fd-200d-1f680'],
      ['not one', null],
      ['..', null],
      ['', null],
    ]
    for (const [emoji, file] of cases)
      expect([emoji, emojiUrl(emoji)]).toEqual([emoji, file && `http://localhost/assets/emoji/${file}.svg`])
  })

  test('are served to anyone, for ever, with a strong tag, and can do nothing', async () => {
    const { status, headers, text } = await get('/assets/emoji/1f9ed.svg')
    expect([status, text.slice(0, 4)]).toEqual([200, '<svg'])
    expect(headers.get('content-type')).toBe('image/svg+xml')
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    )
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('etag')).toMatch(/^"[0-9a-z]+"$/)
    // Not counted, so no budget is shown.
    expect(headers.get('x-ratelimit-limit')).toBeNull()
    const again = await get('/assets/emoji/1f9ed.svg', {
      headers: { 'if-none-match': headers.get('etag') as string },
    })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  test('are all that is served: no other path leads anywhere', async () => {
    for (const path of [
      '1f9ed',
      '1f9ed.png',
      '1F9ED.svg',
      '2764-fe0f.svg',
      'nothing.svg',
      '..%2f..%2fpackage.json',
      '%2e%2e%2f%2e%2e%2fpackage.json',
      '..%5c..%5cpackage.json',
      '%2fetc%2fpasswd',
      '%00.svg',
      '__proto__',
      'constructor',
    ]) {
      const { status, body } = await get(`/assets/emoji/${path}`)
      expect([path, status, body]).toEqual([path, 404, { error: 'Page not found', code: 'not_found' }])
    }
  })

  test('are not charged to the rate limit', async () => {
    const address = { 'x-forwarded-for': '10.99.99.99' }
    for (let i = 0; i < 70; i += 1)
      expect((await get('/assets/emoji/1f600.svg', { headers: address })).status).toBe(200)
    const { headers } = await get('/v1/scopes', { headers: address })
    expect(headers.get('x-ratelimit-remaining')).toBe('59')
  })
})

describe('an icon', () => {
  test('is one emoji, written as it should be', async () => {
    const { at, manager } = await makeStaffedGroup({ maxBadges: 100 })
    const make = (icon: unknown) => post(at, { token: manager.token, json: newBadge({ icon }) })
    const kept: [string, string][] = [
      ['😀', '😀'],
      [' 😀 ', '😀'],
      ['❤', '❤️'],
      ['❤️', '❤️'],
      ['☀', '☀️'],
      ['👍🏽', '👍🏽'],
      ['☝🏽', '☝🏽'],
      ['🏳‍🌈', '🏳️‍🌈'],
      ['👁️‍🗨️', '👁️‍🗨️'],
      ['👨‍👩‍👧‍👦', '👨‍👩‍👧‍👦'],
      ['🇩🇪', '🇩🇪'],
      ['1️⃣', '1️⃣'],
    ]
    for (const [icon, expected] of kept) {
      const { status, body } = await make(icon)
      expect([icon, status, body.data?.icon, typeof body.data?.iconUrl]).toEqual([
        icon,
        201,
        expected,
        'string',
      ])
    }
    for (const icon of [
      '',
      'a',
      '1',
      '#',
      '😀😀',
      '😀a',
      'ok 👍',
      '❤︎',
      '‍',
      '️',
      '🇩',
      '👍👍🏽',
      'x'.repeat(33),
    ])
      expect([icon, (await make(icon)).body]).toEqual([
        icon,
        {
          error: expect.stringMatching(/^icon must (be |hold a visible character$)/),
          code: 'validation_error',
        },
      ])
    for (const icon of [null, 5, ['😀']]) expect([icon, (await make(icon)).status]).toEqual([icon, 400])
    const { id } = (await make('🐦')).body.data
    const changed = await patch(`${at}/${id}`, { token: manager.token, json: { icon: '☂' } })
    expect(changed.body.data.icon).toBe('☂️')
    const refused = await patch(`${at}/${id}`, { token: manager.token, json: { icon: 'umbrella' } })
    expect([refused.status, refused.body.error]).toEqual([400, 'icon must be one emoji'])
  })

  test('without a picture in the set has no address', async () => {
    const { at, manager } = await makeStaffedGroup()
    // Younger than the set.
    const { body } = await post(at, { token: manager.token, json: newBadge({ icon: '🫪' }) })
    expect([body.data.icon, body.data.iconUrl]).toEqual(['🫪', null])
  })
})
