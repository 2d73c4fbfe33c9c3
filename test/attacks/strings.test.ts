import { expect, test } from 'bun:test'
import { post } from '../support/api'
import { makeCaller } from '../support/make'

const named = async (name: string) =>
  post('/v1/profile/tokens', { token: (await makeCaller()).token, json: { name, scopes: ['read:user'] } })

test('strings are trimmed, composed and counted by code point', async () => {
  expect((await named('  a\u00a0 ')).body.data.name).toBe('a')
  expect((await named('e\u0301')).body.data.name).toBe('\u00e9')
  expect((await named('\u{1f600}'.repeat(100))).status).toBe(201)
  expect((await named('\u{1f600}'.repeat(101))).status).toBe(400)
})

test('controls, NUL and lone surrogates are refused and not repeated', async () => {
  for (const bad of ['\u0000', '\u0007', '\u000b', '\u001b[31m', '\u007f', '\ud800', '\udc00x', 'a\rb']) {
    const { status, body } = await named(`mark${bad}mark`)
    expect([JSON.stringify(bad), status, body.code]).toEqual([JSON.stringify(bad), 400, 'validation_error'])
    expect(body.error).toMatch(/^name (may not hold control characters|is not valid Unicode)$/)
  }
})

// Composing sorts the marks of a letter: thirty thousand of two classes took seconds, for everyone.
test('more marks on a letter than any script has are refused', async () => {
  expect((await named(`a${'\u0301'.repeat(30)}`)).status).toBe(201)
  for (const marks of ['\u0301'.repeat(31), '\u0315'.repeat(15_000) + '\u0316'.repeat(15_000)]) {
    const { status, body } = await named(`a${marks}`)
    expect([status, body.error]).toEqual([400, 'name has too many marks on one letter'])
  }
})

test('a line is one line', async () => {
  for (const bad of ['a\nb', 'a\tb', 'a\r\nb']) expect((await named(bad)).body.error).toContain('on one line')
})
