import { expect, test } from 'bun:test'
import { randomHex, readableCode } from '@/core/codes'
import { get, post } from '../../../support/api'
import { makeBadge, makeCaller } from '../../../support/make'
import { patiently } from '../../../support/patiently'
import { makeFan, makeLink } from './fixtures'

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

test('codes and tokens that do not exist share 30 guesses a minute for each person, and for each address of strangers', async () => {
  const { code } = await makeLink((await makeBadge()).id)
  const address = '203.0.113.110'
  const { token } = await makeCaller(['user', 'manage:groups'])
  for (const [options, methods] of [
    [from(address), [get]],
    [{ ...from(address), token }, [get, post]],
  ] as const) {
    const asks = methods.flatMap((ask) => [
      () => ask(`/v1/claim/${readableCode(12)}`, options),
      () => ask(`/v1/groups/claim/${randomHex(16)}`, options),
    ])
    for (let i = 0; i < 30; i += 1) {
      expect((await asks[i % asks.length]?.())?.status).toBe(404)
      if (i % 5 === 0) expect((await get(`/v1/claim/${code}`, options)).status).toBe(200)
    }
    for (const ask of [...asks, () => get(`/v1/claim/${code}`, options)]) {
      const answer = await ask()
      expect([answer.status, answer.body.code]).toEqual([429, 'rate_limited'])
    }
  }
  expect((await get(`/v1/claim/${code}`, from('203.0.113.111'))).status).toBe(200)
  const other = await makeFan()
  expect((await post(`/v1/claim/${code}`, { ...from(address), token: other.token })).status).toBe(201)
})

test('a hall full of people with a good code is one address and no guess', async () => {
  const { code } = await makeLink((await makeBadge()).id)
  const fans = await Promise.all(Array.from({ length: 50 }, makeFan))
  for (const expected of [201, 409]) {
    const answers = await Promise.all(
      fans.map(({ token }) =>
        patiently(() => post(`/v1/claim/${code}`, { ...from('203.0.113.120'), token })),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([expected]))
  }
})
