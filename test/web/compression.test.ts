import { expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { apiUrl, post } from '../support/api'
import { makeEvent, makeGroup, makeSession, makeUser } from '../support/make'

const read = async (session: string, path: string, headers: Record<string, string>) => {
  const answer = await fetch(apiUrl() + path, {
    headers: { accept: 'text/html', cookie: `session=${session}`, ...headers },
    decompress: false,
  })
  return {
    encoding: answer.headers.get('content-encoding'),
    bytes: Buffer.from(await answer.bytes()),
    answer,
  }
}

test('a page of one person is compressed, unless another site asked for it', async () => {
  const session = await makeSession((await makeUser()).id)
  const event = await makeEvent((await makeGroup()).id)
  for (const path of ['/settings/profile', '/manage/groups/new', `/events/${event.id}`]) {
    const plain = await read(session, path, { 'accept-encoding': 'identity' })
    for (const [accepted, expand] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const asked = { 'accept-encoding': accepted, 'sec-fetch-site': 'same-origin' }
      const { encoding, bytes, answer } = await read(session, path, asked)
      expect([path, encoding]).toEqual([path, accepted])
      expect(bytes.length * 2).toBeLessThan(plain.bytes.length)
      expect(expand(bytes).toString()).toContain('</html>')
      expect(answer.headers.get('vary')).toContain('Accept-Encoding')
    }
    // The size of an answer must not tell another site what stands beside the text that it chose.
    for (const site of ['cross-site', 'same-site', undefined])
      expect(
        (await read(session, path, { 'accept-encoding': 'br', ...(site && { 'sec-fetch-site': site }) }))
          .encoding,
      ).toBeNull()
  }
})

test('the token of a form is masked, differs from second to second, and stays good', async () => {
  const session = await makeSession((await makeUser()).id)
  const tokenIn = async () =>
    /name="csrf" value="([^"]+)"/.exec(
      (await read(session, '/settings/profile', {})).bytes.toString(),
    )?.[1] as string
  const first = await tokenIn()
  let second = first
  while (second === first) second = await tokenIn()
  const send = (csrf: string) =>
    post('/settings/preferences?do=save', {
      session,
      body: new URLSearchParams({ csrf, language: 'de', timeZone: '' }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    })
  for (const token of [first, second]) expect((await send(token)).status).toBe(303)
  const other = await makeSession((await makeUser()).id)
  const foreign = /name="csrf" value="([^"]+)"/.exec(
    (await read(other, '/settings/profile', {})).bytes.toString(),
  )?.[1] as string
  const flipped = `${first.slice(0, -1)}${first.endsWith('0') ? '1' : '0'}`
  for (const token of ['', 'x', first.slice(0, 64), flipped, foreign, '0'.repeat(128)])
    expect((await send(token)).status).not.toBe(303)
})
