import { describe, expect, test } from 'bun:test'
import { forbidden, gone, notFound, rateLimited } from '@/core/errors'
import { CARD_HEADERS } from '@/modules/passes/card/document'
import { initialsOf } from '@/modules/passes/card/face'
import { newKey, publicUrl } from '@/modules/people/uploads/key'
import { html } from '@/web/html'
import { HOSTILE_ADDRESSES, HOSTILE_TEXTS } from '../../../support/hostile-texts'
import {
  blankTagPage,
  notInUsePage,
  ownPassPage,
  personCard,
  refusalPage,
  strangerCard,
  tooFastPage,
  unknownPassPage,
} from './in-english'
import { ownedPass } from './passes'

const TOKEN = html`<input type="hidden" name="csrf" value="${'a'.repeat(64)}">`
const NEW = { formToken: TOKEN, connected: false, recordedNow: false, follows: false }
const picture = (category: 'avatar' | 'meetpass-image') =>
  publicUrl(newKey({ category, contentType: 'image/jpeg' }, `${'n'.repeat(80)}.jpg`))

/** The texts of what can be pressed, in their order. */
const deeds = (body: string) =>
  [...body.matchAll(/class="button[^"]*"[^>]*>(?:<svg.*?<\/svg>)?([^<]+)</g)].map(([, text]) => text)

describe('a card', () => {
  test('shows who it is and what can be done, in the order that the owner chose', () => {
    const { status, body } = strangerCard(ownedPass())
    expect(status).toBe(200)
    for (const text of ['Ada Okafor', '@ada-okafor', 'I fix bicycles', 'Harbour Quarter', '>ada.example<'])
      expect(body).toContain(text)
    expect(body).toContain('<a href="https://github.com/ada-okafor" rel="nofollow noopener">')
    expect(deeds(body)).toEqual(['Save contact', 'Sign in to stay connected', 'Follow'])
    const order = (action: 'profile' | 'contact' | 'follow') => {
      const shown = strangerCard(ownedPass({ pass: { action } })).body
      return [shown.indexOf('class="about"') < shown.indexOf('class="act"'), deeds(shown)[0]]
    }
    expect(order('profile')).toEqual([true, 'Save contact'])
    expect(order('contact')).toEqual([false, 'Save contact'])
    expect(order('follow')).toEqual([false, 'Follow'])
  })

  test('says what is so already, and offers a signed-in person what is not', () => {
    const known = ownedPass()
    const shown = (more: object) => personCard(known, { ...NEW, ...more }).body
    expect(deeds(shown({}))).toEqual(['Save contact', 'Connect', 'Follow'])
    expect(shown({})).not.toContain('You are')
    const connected = shown({ connected: true, recordedNow: true })
    expect(connected).toContain('You are now connected')
    expect(deeds(connected)).toEqual(['Save contact', 'Follow'])
    const all = shown({ connected: true, follows: true })
    expect(all).toContain('You are connected')
    expect(all).toContain('You follow this person')
    expect(deeds(all)).toEqual(['Save contact'])
    for (const name of ['connect', 'follow'])
      expect(shown({})).toContain(
        `<form method="post" action="/pass/${known.pass.id}/${name}">${TOKEN.text}<button`,
      )
  })

  test('of a private owner holds the name and the picture only', () => {
    const owner = { isPublic: false, avatarUrl: picture('avatar') }
    const known = ownedPass({ owner, pass: { action: 'follow' } })
    const cards = [strangerCard(known), personCard(known, NEW), personCard(known, { ...NEW, follows: true })]
    for (const { body } of cards) {
      expect(body).toContain('Ada Okafor')
      expect(body).toContain('class="face" src="/v1/uploads/file/avatar/')
      for (const hidden of ['ada-okafor', 'bicycles', 'Harbour', 'ada.example', 'ollow'])
        expect(body.replace(/<style>.*<\/style>/s, '')).not.toContain(hidden)
      expect(deeds(body)).toContain('Save contact')
    }
  })

  test('shows pictures of our own storage only', () => {
    const foreign = { avatarUrl: 'https://evil.example/a.png' }
    const { body } = strangerCard(
      ownedPass({ owner: foreign, design: { imageUrl: 'https://evil.example/b.png' } }),
    )
    expect(body).not.toContain('<img')
    expect(body).toContain('>AO</div>')
    const own = strangerCard(
      ownedPass({
        owner: { avatarUrl: picture('avatar') },
        design: { imageUrl: picture('meetpass-image'), themeColor: 'sky' },
      }),
    )
    expect(own.body.match(/<img /g)).toHaveLength(2)
    expect(own.body).toContain('<body class="sky">')
  })

  test('is the same for every stranger, and holds no token', () => {
    const known = ownedPass()
    expect(strangerCard(known).body).toBe(strangerCard(structuredClone(known)).body)
    expect(strangerCard(known).body).not.toContain('<form')
  })

  test('stays below 14 KB with any content', () => {
    const sizes: number[] = []
    for (const character of ['a', '"', '&', '👍', 'ä'])
      for (const link of [
        `https://ok.example/${character.repeat(1000)}`,
        `https://ok.example/?${character.repeat(200)}`,
      ]) {
        const known = ownedPass({
          pass: { label: character.repeat(60) },
          owner: {
            name: character.repeat(200),
            username: 'u'.repeat(30),
            bio: character.repeat(500),
            location: character.repeat(100),
            socialLinks: Array.from({ length: 5 }, () => link),
            avatarUrl: picture('avatar'),
          },
          design: { imageUrl: picture('meetpass-image') },
        })
        for (const { body } of [
          strangerCard(known),
          personCard(known, NEW),
          ownPassPage(known, { people: 1e9, all: 1e9 }),
        ])
          sizes.push(Buffer.byteLength(body))
      }
    expect(Math.max(...sizes)).toBeLessThan(14_000)
  })

  test('takes nothing of what people typed for markup', async () => {
    const plain = skeleton(strangerCard(ownedPass({ owner: { socialLinks: null } })).body)
    for (const text of HOSTILE_TEXTS.filter((text) => text.trim() !== '')) {
      const owner = { name: text, bio: text, location: text, username: text, socialLinks: null }
      const known = ownedPass({ owner, pass: { label: text } })
      expect(skeleton(strangerCard(known).body)).toBe(plain)
    }
    for (const address of HOSTILE_ADDRESSES) {
      const owner = { avatarUrl: address, socialLinks: [address] }
      const { body } = strangerCard(ownedPass({ owner, design: { imageUrl: address, themeColor: address } }))
      for (const [, href] of body.matchAll(/<li><a href="([^"]*)"/g))
        expect(href).toMatch(/^https?:\/\/[\w.:-]+\//)
      expect(body).not.toContain('<img')
    }
  })
})

/** The tags of a document, in their order. */
const skeleton = (body: string) =>
  [...body.replace(/<style>.*?<\/style>/s, '').matchAll(/<\/?[a-z][^\s>]*/g)].map(([tag]) => tag).join('')

test('initials are those of the first and the last name, in scripts that are shortened so', () => {
  const shown = [
    'Ada Okafor',
    'madonna',
    'José van der Zee',
    'محمد علي',
    'Ж. Петров',
    '李 小龍',
    '🙂',
    '',
    'ß x',
  ]
  expect(shown.map(initialsOf)).toEqual(['AO', 'M', 'JZ', 'م', 'ЖП', '李', '', '', 'SSX'])
})

test('an own pass says how people meet by it', () => {
  const shown = (type: 'nfc' | 'qrcode') => ownPassPage(ownedPass({ pass: { type } }), { people: 1, all: 6 })
  expect(shown('qrcode').body).toContain('Hold it up')
  expect(shown('nfc').body).not.toContain('Hold it up')
  expect(shown('nfc').body).toContain('hold a phone to your tag')
})

describe('where there is no card', () => {
  test('a blank tag is claimed by a form alone', () => {
    const id = 'abcd2345efgh6789'
    expect(blankTagPage(id, null).body).toContain('href="/login?returnTo=%2Fpass%2Fabcd2345efgh6789"')
    expect(blankTagPage(id, null).body).not.toContain('<form')
    expect(blankTagPage(id, TOKEN).body).toContain(
      `<form method="post" action="/pass/${id}/claim">${TOKEN.text}<button class="button first">Claim`,
    )
    expect(blankTagPage(id, TOKEN).body).toContain('ABCD-2345-EFGH-6789')
  })

  test('a few words say what to do', () => {
    expect([unknownPassPage(), notInUsePage(), tooFastPage()].map(({ status }) => status)).toEqual([
      404, 410, 429,
    ])
    // The front page is for programs.
    for (const { body } of [unknownPassPage(), notInUsePage()]) expect(deeds(body)).toEqual([])
    expect(tooFastPage().body).toContain('<meta http-equiv="refresh" content="1;url=?again">')
    expect(refusalPage(rateLimited(40))?.body).toContain(
      '<meta http-equiv="refresh" content="40;url=?again">',
    )
    expect([notFound('Pass'), gone('x'), forbidden('x')].map((error) => refusalPage(error)?.status)).toEqual([
      ...[404, 410, undefined],
    ])
  })
})

test('the policy lets nothing in but the one stylesheet and our own pictures', () => {
  const { body } = strangerCard(ownedPass())
  const [, styles = ''] = /<style>(.*?)<\/style>/s.exec(body) ?? []
  const hash = new Bun.CryptoHasher('sha256').update(styles).digest('base64')
  expect(CARD_HEADERS['content-security-policy']).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  )
})
