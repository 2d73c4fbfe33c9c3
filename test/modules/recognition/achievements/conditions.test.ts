import { describe, expect, test } from 'bun:test'
import type { Condition } from '@/db/tables/achievements'
import { matches } from '@/modules/recognition/achievements/progress/count'

const HUGE = 'a'.repeat(5_000_000)

const data = {
  word: 'lantern',
  empty: '',
  five: 5,
  zero: 0,
  yes: true,
  no: false,
  nothing: null,
  list: ['portfolio', 'bio', 5, null],
  object: { word: 'lantern' },
  at: '2026-05-01T18:30:00.000Z',
  huge: HUGE,
}

type Row = [field: string, op: Condition['op'], value: Condition['value'], holds: boolean]

const TABLE: Row[] = [
  ['word', 'eq', 'lantern', true],
  ['word', 'eq', 'Lantern', false],
  ['five', 'eq', 5, true],
  ['five', 'eq', '5', false],
  ['zero', 'eq', false, false],
  ['empty', 'eq', '', true],
  ['nothing', 'eq', null, true],
  ['zero', 'eq', null, false],
  ['list', 'eq', 'portfolio', false],
  ['object', 'eq', 'lantern', false],
  ['word', 'neq', 'lantern', false],
  ['word', 'neq', 'other', true],
  ['five', 'neq', '5', true],
  ['nothing', 'neq', null, false],
  ['five', 'gt', 4, true],
  ['five', 'gt', 5, false],
  ['five', 'gte', 5, true],
  ['five', 'gte', 5.5, false],
  ['five', 'lt', 6, true],
  ['five', 'lt', 5, false],
  ['five', 'lte', 5, true],
  ['five', 'lte', 4, false],
  ['at', 'gt', '2026-05-01T18:29:59.999Z', true],
  ['at', 'lte', '2026-05-01T18:29:59.999Z', false],
  // Different kinds cannot be compared, nor can what has no size.
  ...(['gt', 'gte', 'lt', 'lte'] as const).flatMap((op): Row[] => [
    ['five', op, '4', false],
    ['word', op, 4, false],
    ['yes', op, false, false],
    ['yes', op, true, false],
    ['nothing', op, 0, false],
    ['nothing', op, null, false],
    ['list', op, 0, false],
    ['object', op, '', false],
    ['five', op, Number.NaN, false],
  ]),
  ['word', 'in', ['candle', 'lantern'], true],
  ['word', 'in', ['candle'], false],
  ['word', 'in', [], false],
  ['five', 'in', ['5'], false],
  ['five', 'in', [4, 5], true],
  ['yes', 'in', [true], true],
  ['nothing', 'in', [0, false], false],
  ['list', 'in', ['portfolio'], false],
  ['word', 'in', 'a lantern', false],
  ['list', 'contains', 'portfolio', true],
  ['list', 'contains', 'port', false],
  ['list', 'contains', 5, true],
  ['list', 'contains', '5', false],
  ['list', 'contains', null, true],
  ['word', 'contains', 'ant', true],
  ['word', 'contains', 'ANT', false],
  ['word', 'contains', '', true],
  ['word', 'contains', 5, false],
  ['five', 'contains', 5, false],
  ['nothing', 'contains', 'null', false],
  ['object', 'contains', 'word', false],
  ['huge', 'eq', HUGE, true],
  ['huge', 'contains', `${HUGE}b`, false],
  ['huge', 'lt', 'b', true],
  ['word', 'contains', '(a+)+$', false],
  // What the domain event does not say itself is not there, whatever every object inherits.
  ...[
    'missing',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'word.length',
    'length',
    '',
  ].flatMap((field): Row[] => [
    [field, 'eq', null, false],
    [field, 'in', [''], false],
    [field, 'contains', '', false],
    [field, 'gte', 0, false],
    [field, 'lt', 'z', false],
    [field, 'neq', 'anything', true],
    [field, 'neq', null, true],
  ]),
]

describe('a condition', () => {
  test('holds for what its operator says of the field, and for nothing else', () => {
    for (const [field, op, value, holds] of TABLE)
      expect([field, op, String(value).slice(0, 40), matches([{ field, op, value }], data)]).toEqual([
        field,
        op,
        String(value).slice(0, 40),
        holds,
      ])
    expect(TABLE.length).toBeGreaterThan(100)
  })

  test('holds for a field that the domain event has by the name of something inherited', () => {
    const own = JSON.parse('{"__proto__": "mine", "constructor": 3}')
    expect(matches([{ field: '__proto__', op: 'eq', value: 'mine' }], own)).toBe(true)
    expect(matches([{ field: 'constructor', op: 'gt', value: 2 }], own)).toBe(true)
  })

  test('has all others beside it: none at all always holds', () => {
    const [word, five]: Condition[] = [
      { field: 'word', op: 'eq', value: 'lantern' },
      { field: 'five', op: 'lt', value: 5 },
    ]
    expect(matches([], data)).toBe(true)
    expect(matches([word as Condition], data)).toBe(true)
    expect(matches([word as Condition, five as Condition], data)).toBe(false)
  })

  test('never throws for any data', () => {
    for (const odd of [null, undefined, 5, 'text', [], [1], true])
      for (const op of ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'contains'] as const)
        expect(matches([{ field: 'length', op, value: 'x' }], odd)).toBe(op === 'neq')
  })
})
