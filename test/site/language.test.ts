import { expect, test } from 'bun:test'
import { post } from '../support/api'

const choose = (headers: Record<string, string>) =>
  post('/language', {
    body: 'to=de&back=/events',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

test('visitors choose their language on any page', async () => {
  const { status, headers } = await choose({ 'sec-fetch-site': 'same-origin' })
  expect([status, headers.get('location')]).toEqual([303, '/events'])
  expect(headers.get('set-cookie')).toContain('language=de')
})

const ELSEWHERE: Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'https://elsewhere.example' },
]
test.each(ELSEWHERE)('another site chooses no language for anyone: %p', async (from) => {
  const { status, headers, text } = await choose(from)
  expect([status, headers.get('set-cookie')]).toEqual([403, null])
  expect(text).toContain('<h1')
})
