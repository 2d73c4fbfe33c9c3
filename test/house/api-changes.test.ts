import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { breakingChanges, unannounced } from '../../scripts/api/breaking'
import { type Document, type Operation, promised, type Schema } from '../../scripts/api/document'

const read = (name: string) => readFileSync(join(import.meta.dir, '../..', name), 'utf8')

const answer = (schema: Schema) => ({ content: { 'application/json': { schema } } })
const object = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
})

/** An API of one operation, `POST /notes`, in which a part is another. */
const notes = (part: Partial<Operation> = {}): Document => ({
  paths: {
    '/notes': {
      post: {
        security: [{ token: ['write:notes'] }, { session: [] }],
        parameters: [{ name: 'order', in: 'query', required: false, schema: { enum: ['newest', 'oldest'] } }],
        requestBody: { required: true, content: { 'application/json': { schema: NOTE } } },
        responses: { '201': answer({ $ref: '#/components/schemas/Note' }), '400': answer({}) },
        ...part,
      },
    },
  },
  components: { schemas: { Note: PINNED } },
})

const body = (properties: Record<string, Schema>, required = ['text']) =>
  notes({
    requestBody: {
      required: true,
      content: { 'application/json': { schema: object(properties, required) } },
    },
  })
const answers = (properties: Record<string, Schema>, required = ['id', 'text']) =>
  notes({ responses: { '201': answer(object(properties, required)) } })
const accepts = (...security: Record<string, string[]>[]) => notes({ security })

const TEXT: Schema = { type: 'string', maxLength: 500 }
const FIELDS = {
  text: TEXT,
  tag: { type: 'string' },
  place: object({ city: { type: 'string' } }),
} satisfies Record<string, Schema>
const GIVEN = {
  id: { type: 'string', format: 'uuid' },
  text: { type: 'string' },
  state: { enum: ['on', 'off'] },
} satisfies Record<string, Schema>
const NOTE = object(FIELDS, ['text'])
const PINNED = object(GIVEN, ['id', 'text'])

const broken = (after: Document) => breakingChanges(notes(), after).map(({ what }) => what)

describe('a breaking API change', () => {
  const cases: [string, Document, string][] = [
    ['an operation is gone', { paths: {} }, 'it is gone'],
    ['a success has another status', notes({ responses: { '200': answer(PINNED) } }), '201 is gone'],
    [
      'an answer is of another kind',
      notes({ responses: { '201': { content: { 'text/csv': {} } } } }),
      '201 is gone',
    ],
    ['a property of an answer is gone', answers({ id: GIVEN.id, text: GIVEN.text }), '201.state is gone'],
    ['a property of an answer may be missing', answers(GIVEN, ['id']), '201.text may be missing now'],
    [
      'a property of an answer has another type',
      answers({ ...GIVEN, text: { type: 'integer' } }),
      '201.text may be integer now',
    ],
    [
      'a property of an answer has another format',
      answers({ ...GIVEN, id: { type: 'string', format: 'date' } }),
      '201.id may be string (date) now',
    ],
    [
      'a property of an answer may be null',
      answers({ ...GIVEN, text: { type: ['string', 'null'] } }),
      '201.text may be null now',
    ],
    [
      'a field of the input is gone',
      body({ text: TEXT, place: FIELDS.place }),
      'body.tag is no longer taken',
    ],
    ['a field of the input becomes required', body(FIELDS, ['text', 'tag']), 'body.tag is required now'],
    [
      'a new field of the input is required',
      body({ ...FIELDS, color: { type: 'string' } }, ['text', 'color']),
      'body.color is required now',
    ],
    [
      'a field of the input takes another type',
      body({ ...FIELDS, tag: { type: 'integer' } }),
      'body.tag no longer takes string',
    ],
    [
      'a field of the input has a tighter bound',
      body({ ...FIELDS, text: { type: 'string', maxLength: 100 } }),
      'body.text has maxLength 100 now',
    ],
    [
      'a list of words of the input is narrowed',
      notes({ parameters: [{ name: 'order', in: 'query', schema: { enum: ['newest'] } }] }),
      'query order no longer takes "oldest"',
    ],
    ['a parameter is gone', notes({ parameters: [] }), 'query order is no longer taken'],
    [
      'another scope is needed',
      accepts({ token: ['manage:notes'] }, { session: [] }),
      '{"token":["write:notes"]} no longer opens it',
    ],
    ['tokens are no longer taken', accepts({ session: [] }), '{"token":["write:notes"]} no longer opens it'],
  ]
  test.each(cases)('is detected: %s', (_, after, what) => {
    expect(broken(after)).toEqual([what])
  })

  test('is detected: a public operation now requires a credential', () => {
    expect(breakingChanges(accepts(), notes()).map(({ what }) => what)).toEqual(['it wants a credential now'])
  })

  test('passes only if the changelog lists its operation as breaking under Unreleased', () => {
    const changes = breakingChanges(notes(), { paths: {} })
    const told = '# Changelog\n\n## Unreleased\n\n### Breaking\n\n- `POST /notes` is gone.\n\n## 1.0.0\n'
    expect(unannounced(changes, told)).toEqual([])
    expect(unannounced(changes, told.replace('/notes', '/note'))).toEqual(changes)
    expect(unannounced(changes, told.replace('Breaking', 'Added'))).toEqual(changes)
    expect(unannounced(changes, told.replace('Unreleased', '1.1.0'))).toEqual(changes)
  })
})

describe('an addition is not breaking', () => {
  const cases: [string, Document][] = [
    ['nothing changed', notes()],
    ['one operation more', { ...notes(), paths: { ...notes().paths, '/pins': { get: { responses: {} } } } }],
    ['one property more in an answer', answers({ ...GIVEN, at: { type: 'string' } })],
    ['a property of an answer that is always there', answers(GIVEN, ['id', 'text', 'state'])],
    ['one word more in an answer', answers({ ...GIVEN, state: { enum: ['on', 'off', 'gone'] } })],
    ['one field more that may be left out', body({ ...FIELDS, color: { type: 'string' } })],
    [
      'a new shape with a field that it needs',
      body({ ...FIELDS, pin: object({ at: { type: 'string' } }, ['at']) }),
    ],
    ['a field that may be left out now', body(FIELDS, [])],
    ['a field that takes null, too', body({ ...FIELDS, tag: { type: ['string', 'null'] } })],
    ['a looser bound', body({ ...FIELDS, text: { type: 'string', maxLength: 900 } })],
    [
      'any text instead of some words',
      notes({ parameters: [{ name: 'order', in: 'query', schema: { type: 'string' } }] }),
    ],
    [
      'one parameter more',
      notes({
        parameters: [
          ...(notes().paths['/notes']?.post?.parameters ?? []),
          { name: 'limit', in: 'query', schema: { type: 'integer' } },
        ],
      }),
    ],
    [
      'one refusal more',
      notes({ responses: { ...notes().paths['/notes']?.post?.responses, '409': answer({}) } }),
    ],
    ['no credential any more', accepts()],
    ['no scope any more', accepts({ token: [] }, { session: [] })],
  ]
  test.each(cases)('%s', (_, after) => {
    expect(broken(after)).toEqual([])
  })
})

describe('the API baseline', () => {
  const openapi: Document = JSON.parse(read('docs/openapi.json'))

  test('is compatible, or the changelog says otherwise', () => {
    // On a difference: see `bun run check:api`.
    const changes = breakingChanges(JSON.parse(read('docs/api-baseline.json')), openapi)
    expect(unannounced(changes, read('CHANGELOG.md'))).toEqual([])
  })

  test('keeps everything clients depend on without the descriptions', () => {
    const kept: Document = JSON.parse(promised(openapi))
    expect(Object.keys(kept.paths)).toEqual(Object.keys(openapi.paths))
    expect([...breakingChanges(kept, openapi), ...breakingChanges(openapi, kept)]).toEqual([])
    // A property that is called like a word of the documentation.
    expect(kept.components?.schemas?.GroupDetail?.properties).toHaveProperty('description')
  })
})
