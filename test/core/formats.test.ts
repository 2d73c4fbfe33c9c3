import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { parser } from '@/core/parse'

test('building a parser with an unknown format at any depth throws', () => {
  const unknown = Type.String({ format: 'phone' })
  const deep = Type.Object({ list: Type.Array(Type.Union([Type.Null(), unknown])) })
  for (const schema of [Type.Object({ unknown }), deep])
    expect(() => parser(schema)).toThrow('The format phone is not registered')
})

test.each([
  ['uuid', Bun.randomUUIDv7(), 'urn:uuid:x'],
  ['date-time', '2026-02-28T10:00:00Z', '2026-02-31T10:00:00Z'],
  ['uri', 'https://folk.example/a?b', 'no address'],
])('the format %s is known without Elysia', (format, right, wrong) => {
  const parse = parser(Type.Object({ value: Type.String({ format, maxLength: 100 }) }))
  expect(parse({ value: right })).toEqual({ value: right })
  expect(() => parse({ value: wrong })).toThrow()
})
