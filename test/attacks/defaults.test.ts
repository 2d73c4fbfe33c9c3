import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { parser } from '@/core/parse'
import { post } from '../support/api'
import { makeAdmin } from '../support/make'

test('what is sent in place of a list is not put onto its default', async () => {
  const { token } = await makeAdmin()
  const lists = [
    { length: -1 },
    { length: 4_294_967_295 },
    { length: 1.5 },
    { 0: '*', length: 1 },
    { 0: 'a' },
    {},
    'x',
    7,
  ]
  for (const eventTypes of lists) {
    const answer = await post('/v1/developer/webhooks', {
      token,
      json: { url: 'http://127.0.0.1:9/', eventTypes },
    })
    expect([eventTypes, answer.status, answer.body.error]).toEqual([
      eventTypes,
      400,
      'eventTypes must be a list of 1 to 100 items',
    ])
  }
})

test('defaults are filled in at every depth, as fresh objects', () => {
  const read = parser(
    Type.Object({
      names: Type.Array(Type.String(), { default: ['*'] }),
      inside: Type.Object({ size: Type.Integer({ default: 3 }) }),
      all: Type.Array(Type.Object({ on: Type.Boolean({ default: true }) })),
    }),
  )
  const first = read({ inside: {}, all: [{}, { on: false }] })
  expect(first).toEqual({ names: ['*'], inside: { size: 3 }, all: [{ on: true }, { on: false }] })
  first.names.push('more')
  expect(read({ inside: { size: 4 }, all: [] })).toEqual({ names: ['*'], inside: { size: 4 }, all: [] })
})
