import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { projector } from '@/core/projection'
import { orNull } from '@/core/shapes'

const Kept = Type.Object({ kept: Type.String(), maybe: Type.Optional(Type.Number()) })
const secret = { kept: 'yes', secret: 'no' }

test('an answer holds what its schema names and nothing else, however deep', () => {
  const Whole = Type.Object({
    one: Kept,
    many: Type.Array(Kept),
    none: orNull(Kept),
    some: orNull(Kept),
    named: Type.Record(Type.String(), Kept),
    word: Type.String(),
    words: Type.Array(Type.String()),
  })
  const value = {
    one: secret,
    many: [secret, { ...secret, maybe: 2 }],
    none: null,
    some: secret,
    named: { a: secret },
    word: 'hello',
    words: ['a', 'b'],
    secret: 'no',
  }
  expect(projector(Whole)(value)).toEqual({
    one: { kept: 'yes' },
    many: [{ kept: 'yes' }, { kept: 'yes', maybe: 2 }],
    none: null,
    some: { kept: 'yes' },
    named: { a: { kept: 'yes' } },
    word: 'hello',
    words: ['a', 'b'],
  })
})
