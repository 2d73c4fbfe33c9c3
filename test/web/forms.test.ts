import { describe, expect, test } from 'bun:test'
import { type Answer, get, post } from '../support/api'
import { makeCaller, makeSession, makeUser } from '../support/make'
import { made, serveThings } from './making'
import { HTML } from './mount'

const base = serveThings()
const session = await makeSession((await makeUser()).id)
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

const tokenIn = ({ text }: Answer) => /name="csrf" value="([^"]+)"/.exec(text)?.[1] as string
const csrf = tokenIn(await get('/things/one', { base, session }))

type Fields = [string, string][]

const fieldsOf = (fields: Record<string, string>): Fields => Object.entries(fields)

const send = (fields: Fields, slug = 'one', headers = {}) =>
  post(`/things/${slug}`, {
    base,
    session,
    body: new URLSearchParams([['csrf', csrf], ...fields]).toString(),
    headers: { ...FORM, ...headers },
  })

/** What the action was given. */
async function given(fields: Fields): Promise<unknown> {
  const { status, text } = await send([['name', 'x'], ...fields])
  if (status !== 303) return /role="alert"[^>]*>(?:<a[^>]*>)?([^<]*)/.exec(text)?.[1]
  const { slug, name, isOpen, tags, again, links, timezone, ...rest } = made.at(-1) as Record<string, unknown>
  for (const [key, list] of Object.entries({ again, links }))
    if (Array.isArray(list) && list.length > 0) rest[key] = list
  return rest
}

describe('what a form sends becomes what its action takes', () => {
  const cases: [string, Fields, unknown][] = [
    ['nothing at all', [], {}],
    ['a whole number', [['seats', ' 12 ']], { seats: 12 }],
    ['a number', [['price', '2.5']], { price: 2.5 }],
    [
      'a number that is none',
      [['seats', '12a']],
      'The number of seats must be a whole number from 1 to 100, or empty.',
    ],
    [
      'a number beyond the bounds',
      [['seats', '0']],
      'The number of seats must be a whole number from 1 to 100, or empty.',
    ],
    [
      'empty where there may be null',
      [
        ['seats', ''],
        ['startsAt', ' '],
        ['about', ''],
      ],
      { seats: null, startsAt: null, about: null },
    ],
    [
      'empty where it may be left out',
      [
        ['price', ''],
        ['kind', ''],
      ],
      {},
    ],
    ['empty where text may be empty', [['note', '']], { note: '' }],
    ['a time without a zone', [['startsAt', '2031-05-01T18:30']], { startsAt: '2031-05-01T18:30Z' }],
    ['a time with seconds', [['startsAt', '2031-05-01T18:30:05']], { startsAt: '2031-05-01T18:30:05Z' }],
    [
      'a time with a zone',
      [['startsAt', '2031-05-01T18:30:00+02:00']],
      { startsAt: '2031-05-01T18:30:00+02:00' },
    ],
    [
      'a day that is none',
      [['startsAt', '2031-02-30T18:30']],
      'startsAt must be a date and a time, or empty.',
    ],
    [
      'an object',
      fieldsOf({ 'place.town': 'Ulm', 'place.floor': '2' }),
      { place: { town: 'Ulm', floor: 2 } },
    ],
    ['an object with nothing in it', fieldsOf({ 'place.town': ' ', 'place.floor': '' }), { place: null }],
    ['an object that lacks something', fieldsOf({ 'place.floor': '2' }), 'The town is required.'],
    [
      'a list that was typed',
      [['links', 'https://a.example/1,2\r\n\r\n https://b.example ']],
      {
        links: ['https://a.example/1,2', 'https://b.example'],
      },
    ],
    ['one of a few words', [['kind', 'tall']], { kind: 'tall' }],
    ['a word for a question with three answers', [['isLoud', 'true']], { isLoud: true }],
    ['no answer to a question with three', [['isLoud', '']], { isLoud: null }],
    ['line ends of a form', [['note', 'a\r\nb']], { note: 'a\nb' }],
    [
      'a name that every object has',
      [
        ['toString', 'x'],
        ['__proto__', 'y'],
      ],
      {},
    ],
    ['a field of the action that this form does not have', [['slug', 'other']], {}],
    [
      'a field twice',
      [
        ['seats', '1'],
        ['seats', '2'],
      ],
      'A field was sent more than once.',
    ],
    [
      'a hidden field that is wrong',
      [['kind', 'wide']],
      'This page was not complete: load it again and repeat it.',
    ],
  ]
  for (const [what, fields, expected] of cases)
    test(what, async () => {
      const found = await given(fields)
      const { isLoud, ...rest } = typeof found === 'object' ? (found as Record<string, unknown>) : {}
      // A box that was not ticked is an answer too.
      const answer = typeof found === 'string' ? found : { ...rest, ...(isLoud !== false && { isLoud }) }
      expect(answer).toEqual(expected as typeof answer)
    })

  describe('a time is one of the zone that the form names', () => {
    const inBerlin = (startsAt: string, more: Record<string, string> = {}) =>
      given(fieldsOf({ timezone: 'Europe/Berlin', startsAt, ...more }))
    const shown = (moment: string) => ({ 'startsAt.moment': moment })
    const times: [string, () => Promise<unknown>, unknown][] = [
      ['in summer', () => inBerlin('2031-05-01T18:30'), '2031-05-01T16:30:00Z'],
      ['in winter', () => inBerlin('2031-01-01T18:30'), '2031-01-01T17:30:00Z'],
      ['the first of two', () => inBerlin('2026-10-25T02:30'), '2026-10-25T00:30:00Z'],
      [
        'the second of two, where it was shown and not touched',
        () => inBerlin('2026-10-25T02:30', shown('2026-10-25T01:30:00.000Z')),
        '2026-10-25T01:30:00.000Z',
      ],
      [
        'with its seconds, where it was not touched',
        () => inBerlin('2031-05-01T18:30', shown('2031-05-01T16:30:42.000Z')),
        '2031-05-01T16:30:42.000Z',
      ],
      [
        'of the new zone, where only that was changed',
        () =>
          given(
            fieldsOf({
              timezone: 'Asia/Tokyo',
              startsAt: '2031-05-01T18:30',
              ...shown('2031-05-01T16:30:00.000Z'),
            }),
          ),
        '2031-05-01T09:30:00Z',
      ],
      ['with a zone of its own', () => inBerlin('2031-05-01T18:30:00+09:00'), '2031-05-01T18:30:00+09:00'],
      [
        'of a zone that there is not',
        () => given(fieldsOf({ timezone: '+02:00', startsAt: '2031-05-01T18:30' })),
        '2031-05-01T18:30Z',
      ],
      [
        'whatever else is shown',
        () => inBerlin('2031-05-01T18:30', shown('nonsense')),
        '2031-05-01T16:30:00Z',
      ],
    ]
    for (const [what, found, startsAt] of times)
      test(what, async () => {
        expect(await found()).toMatchObject({ startsAt })
      })

    test('which clocks may skip, or never come to', async () => {
      expect(await inBerlin('2026-03-29T02:30')).toBe(
        'startsAt does not exist on that day: clocks are put forward.',
      )
      expect(await inBerlin('2026-02-30T02:30')).toStartWith('startsAt must be a date')
    })

    test('in a list too', async () => {
      const again = '2031-05-01T18:30\n2031-01-01T18:30'
      expect(await given(fieldsOf({ timezone: 'Europe/Berlin', again }))).toMatchObject({
        again: ['2031-05-01T16:30:00Z', '2031-01-01T17:30:00Z'],
      })
    })
  })

  test('boxes, alone and of a list', async () => {
    await send([['name', 'x']])
    expect(made.at(-1)).toMatchObject({ isOpen: false, tags: [] })
    await send([
      ['name', 'x'],
      ['isOpen', 'on'],
      ['tags', 'red'],
      ['tags', ''],
      ['tags', 'blue'],
    ])
    expect(made.at(-1)).toMatchObject({ isOpen: true, tags: ['red', 'blue'] })
    const before = made.length
    const many = await send([
      ['name', 'x'],
      ['tags', 'a'],
      ['tags', 'b'],
      ['tags', 'c'],
    ])
    expect([many.status, made.length]).toEqual([400, before])
  })

  test('a path parameter overrides a field of the same name', async () => {
    await send(
      [
        ['name', 'x'],
        ['slug', 'other'],
      ],
      'two',
    )
    expect(made.at(-1)).toMatchObject({ slug: 'two' })
  })
})

describe('a form that was taken', () => {
  test('leads on to another page, and so does one that changes nothing any more', async () => {
    const done = await send([['name', 'x']])
    expect([done.status, done.headers.get('location'), done.headers.get('cache-control')]).toEqual([
      303,
      '/things/one?made=true',
      'no-store',
    ])
    const again = await send([['name', 'so']])
    expect([again.status, again.headers.get('location')]).toEqual([303, '/things/one?made=false'])
  })

  test('never leads to another site', async () => {
    const { status, headers } = await send([['name', 'x']], 'away')
    expect([status, headers.get('location')]).toEqual([500, null])
  })
})

/** One in what the page says, not around it. */
const FORM_WITHIN = /<main[\s\S]*<form[\s\S]*<\/main>/

describe('a form that was not', () => {
  test('comes back with what was typed, a summary that leads to the field, and the reason beside it', async () => {
    const typed = `<b>"&'</b>${'x'.repeat(20)}`
    const { status, text, headers } = await send([
      ['name', typed],
      ['seats', '7'],
      ['tags', 'blue'],
    ])
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      400,
      HTML,
      'no-store',
    ])
    const reason = 'The name must be 1 to 20 characters on one line.'
    expect(text).toContain(
      `<p class="notice alarm" role="alert" tabindex="-1" autofocus><a href="#name">${reason}</a></p>`,
    )
    expect(text).toContain(
      `<input id="name" name="name" type="text" maxlength="20" value="&lt;b&gt;&quot;&amp;&#39;&lt;/b&gt;${'x'.repeat(20)}" aria-invalid="true" aria-describedby="name-problem">\n<p class="wrong small" id="name-problem">${reason}</p>`,
    )
    expect(text).toContain('<input id="seats" name="seats" type="number" value="7">\n')
    expect(text).toContain('name="isOpen" value="on"><span>')
    expect(text).toContain('name="tags" value="red"><span>')
    expect(text).toContain('name="tags" value="blue" checked><span>')
    expect(text).not.toContain('<b>')
    expect(tokenIn({ text } as Answer)).toHaveLength(csrf.length)
  })

  test('keeps what was typed in several lines, and what was chosen', async () => {
    const first = await get('/things/one', { base, session })
    expect(first.text).toContain('<option value="tall" selected>Tall</option>')
    expect(first.text).toContain('name="isLoud" value="false" checked>')
    const { text } = await send([
      ['name', ''],
      ['note', '\n</textarea><b>"'],
      ['kind', ''],
      ['isLoud', 'true'],
    ])
    expect(text).toContain(
      '<p class="hint small quiet" id="note-hint">A few words</p>\n<textarea id="note" name="note" rows="4" dir="auto" aria-describedby="note-hint">\n\n&lt;/textarea&gt;&lt;b&gt;&quot;</textarea>',
    )
    expect(text).toContain('<option value="" selected>Any</option><option value="tall">Tall</option>')
    expect(text).toContain('name="isLoud" value="true" checked>')
    expect(text).toContain('name="isLoud" value="false"><span>')
  })

  test('says what a rule of the action refused, with its status and its headers', async () => {
    const said: unknown[] = []
    for (const name of ['taken', 'odd', 'gone', 'often', '']) {
      const { status, text, headers } = await send([['name', name]])
      said.push([
        status,
        /role="alert"[^>]*>(?:<a[^>]*>)?([^<]*)/.exec(text)?.[1],
        text.includes('name-problem'),
        headers.get('retry-after'),
      ])
    }
    expect(said).toEqual([
      [409, 'Somebody has that name already.', false, null],
      [400, 'The name must not be odd.', true, null],
      [410, 'It is too late to make this.', false, null],
      [429, 'Too many requests: try again in 30 seconds.', false, '30'],
      [400, 'The name is required.', true, null],
    ])
  })

  test('is an error page where another answer would not help', async () => {
    const never = await send([['name', 'never']])
    expect([never.status, FORM_WITHIN.test(never.text)]).toEqual([403, false])
    expect(never.text).toContain('href="/things">Back to the things</a>')
    const broken = await send([['name', 'broken']])
    expect([broken.status, FORM_WITHIN.test(broken.text)]).toEqual([500, false])
    expect(broken.text).toContain(broken.headers.get('x-request-id') as string)
    expect(broken.text).not.toContain('secret')
  })
})

describe('a form is taken', () => {
  const body = (token: string) => `csrf=${token}&name=x`

  test('from a page of ours that was made for this session, and from nowhere else', async () => {
    const other = await makeSession((await makeUser()).id)
    const foreign = tokenIn(await get('/things/one', { base, session: other }))
    const before = made.length
    for (const [sent, headers] of [
      ['name=x', {}],
      [body(''), {}],
      [body(foreign), {}],
      [body(`${csrf}0`), {}],
      [body(csrf.toUpperCase()), {}],
      [`csrf=${csrf}&csrf=${csrf}&name=x`, {}],
      [body(csrf), { 'sec-fetch-site': 'cross-site' }],
      [body(csrf), { 'sec-fetch-site': 'same-site' }],
      [body(csrf), { 'sec-fetch-site': '', origin: 'https://evil.example' }],
    ] as [string, Record<string, string>][]) {
      const refused = await post('/things/one', {
        base,
        session,
        body: sent,
        headers: { ...FORM, ...headers },
      })
      expect([sent, headers, refused.status]).toEqual([sent, headers, 403])
    }
    expect(made.length).toBe(before)
  })

  test('from a signed-in person: others are sent to sign in, and bearers refused', async () => {
    const before = made.length
    for (const headers of [
      FORM,
      { ...FORM, 'sec-fetch-site': 'cross-site' },
      { ...FORM, origin: 'https://evil.example' },
    ] as Record<string, string>[]) {
      const nobody = await post('/things/one', { base, body: body(csrf), headers })
      expect([nobody.status, nobody.headers.get('location')]).toEqual([
        303,
        '/login?returnTo=%2Fthings%2Fone',
      ])
      expect(nobody.text).toBe('')
    }
    const { token } = await makeCaller(['user'])
    expect((await post('/things/one', { base, token, body: body(csrf), headers: FORM })).status).toBe(403)
    expect(made.length).toBe(before)
  })

  test('as a form: a program that sends JSON hears so in JSON', async () => {
    const { status, body: said } = await post('/things/one', { base, session, json: { name: 'x', csrf } })
    expect([status, said.code]).toEqual([400, 'bad_request'])
    const large = await send([['note', 'x'.repeat(70_000)]])
    expect([large.status, large.headers.get('content-type')]).toEqual([413, HTML])
  })
})

describe('a form whose session has ended', () => {
  const OURS = { ...FORM, 'sec-fetch-site': 'same-origin' }
  const typed = new URLSearchParams([
    ['csrf', csrf],
    ['name', 'Ada "<b>"'],
    ['note', 'one\r\ntwo'],
    ['kind', 'tall'],
    ['tags', 'red'],
    ['tags', 'blue'],
    ['secret', 'hush-hush'],
    ['unknown', 'not-of-this-form'],
  ]).toString()

  /** What a page holds to be sent again. */
  const heldIn = (text: string): [string, string][] => {
    const form = /<main[\s\S]*?<form method="post" action="([^"]*)">([\s\S]*?)<\/form>/.exec(text)
    expect(form?.[1]).toBe('/things/one')
    return [...(form?.[2] ?? '').matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [
        name,
        value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>'),
      ],
    )
  }
  const KEPT = [
    ['name', 'Ada "<b>"'],
    ['tags', 'red'],
    ['tags', 'blue'],
    ['note', 'one\r\ntwo'],
    ['kind', 'tall'],
  ]

  test('is kept until its sender has signed in, looked it over, and sent it again', async () => {
    const before = made.length
    const ended = await post('/things/one', { base, body: typed, headers: OURS })
    expect([ended.status, ended.headers.get('cache-control')]).toEqual([401, 'no-store'])
    expect(ended.text).toContain('<h1>Your sign-in has ended</h1>')
    expect(ended.text).toContain('href="/login?returnTo=%2Fthings%2Fone" target="_blank"')
    expect(heldIn(ended.text)).toEqual(KEPT as [string, string][])
    expect(ended.text).not.toMatch(/hush-hush|not-of-this-form|<b>/)

    const anew = await makeSession((await makeUser()).id)
    const again = new URLSearchParams(heldIn(ended.text)).toString()
    const check = await post('/things/one', { base, session: anew, body: again, headers: FORM })
    expect([check.status, made.length]).toEqual([403, before])
    expect(check.text).toContain('<h1>Check and send</h1>')
    expect(check.text).toContain(
      '<dt>The name</dt><dd class="letter" dir="auto">Ada &quot;&lt;b&gt;&quot;</dd>',
    )
    expect(check.text).toContain('<dt>tags</dt><dd class="letter" dir="auto">red, blue</dd>')

    const sent = new URLSearchParams(heldIn(check.text)).toString()
    const done = await post('/things/one', { base, session: anew, body: sent, headers: FORM })
    expect([done.status, made.length]).toEqual([303, before + 1])
    expect(made.at(-1)).toMatchObject({ name: 'Ada "<b>"', note: 'one\ntwo', tags: ['red', 'blue'] })
  })

  test('is said in the language of its sender, and keeps its bounds', async () => {
    const german = { ...OURS, 'accept-language': 'de' }
    const ended = await post('/things/one', { base, body: typed, headers: german })
    expect(ended.text).toContain('<h1>Deine Anmeldung ist abgelaufen</h1>')
    const large = await post('/things/one', { base, body: `note=${'x'.repeat(70_000)}`, headers: OURS })
    expect(large.status).toBe(413)
  })

  test('is not said again to anyone whom another site made send it', async () => {
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }] as Record<
      string,
      string
    >[]) {
      const elsewhere = { ...FORM, 'sec-fetch-site': '', ...headers }
      const { status, text } = await post('/things/one', {
        base,
        session,
        body: 'name=planted',
        headers: elsewhere,
      })
      expect([status, text.includes('planted'), text.includes('Check and send')]).toEqual([403, false, false])
    }
  })
})

test('the API says which field is wrong in its sentence, and nowhere else', async () => {
  const { status, text } = await post('/v1/profile/tokens', { session, json: { name: 7 } })
  expect([status, Object.keys(JSON.parse(text))]).toEqual([400, ['error', 'code']])
})
