import { expect, test } from 'bun:test'
import { Kind, type TObject, type TSchema, Type } from '@sinclair/typebox'
import { parser } from '@/core/parse'
import { call } from '../support/api'
import { makeWorld, writingRoutes } from '../support/world'

/** What every object has from birth, and whoever asks with `in` therefore finds everywhere. */
const INHERITED = [...Object.getOwnPropertyNames(Object.prototype), 'prototype']

const hostile = (value: unknown): string =>
  `{${INHERITED.map((name) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(', ')}}`

for (const { method, pattern, binding } of writingRoutes) {
  const input = binding?.action.input as TObject

  test(`${method} ${pattern} reads nothing under a name that objects inherit`, () => {
    const read = parser(Type.Partial(input)) as (raw: unknown) => Record<string, unknown>
    for (const value of [1, 'x', null, { a: 1 }, ['x']])
      expect(Object.getOwnPropertyNames(read(JSON.parse(hostile(value)))).filter(isInherited)).toEqual([])
  })

  for (const [name, schema] of nestedObjects(input))
    test(`${method} ${pattern} nor inside ${name}`, () => {
      const read = parser(Type.Object({ inside: Type.Partial(schema) })) as (raw: unknown) => {
        inside: object
      }
      const { inside } = read({ inside: JSON.parse(hostile(1)) })
      expect(Object.getOwnPropertyNames(inside).filter(isInherited)).toEqual([])
    })
}

test('such names are ignored by every route that leads somewhere, as unknown fields are', async () => {
  const world = await makeWorld()
  for (const { method, pattern } of writingRoutes)
    for (const value of [1, 'x', null, { a: 1 }]) {
      const options = { token: world.token, headers: { 'content-type': 'application/json' } }
      const path = world.path(pattern)
      const plain = await call(method, path, { ...options, body: '{}' })
      const answer = await call(method, path, { ...options, body: hostile(value) })
      const where = `${method} ${pattern} ${JSON.stringify(value)}`
      expect([where, answer.status < 500]).toEqual([where, true])
      if (method === 'PATCH') expect([where, answer.status]).toEqual([where, plain.status])
    }
})

const isInherited = (name: string) => INHERITED.includes(name)

function nestedObjects(schema: TSchema, path = ''): [string, TObject][] {
  if (schema[Kind] === 'Array') return nestedObjects(schema.items, path)
  if (schema[Kind] === 'Union')
    return (schema.anyOf as TSchema[]).flatMap((member) => nestedObjects(member, path))
  if (schema[Kind] !== 'Object') return []
  const below = Object.entries(schema.properties as Record<string, TSchema>).flatMap(([name, field]) =>
    nestedObjects(field, path ? `${path}.${name}` : name),
  )
  return path ? [[path, schema as TObject], ...below] : below
}
