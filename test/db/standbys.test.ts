import { expect, test } from 'bun:test'
import { requiredStandbys } from '@/db/examine'

test('synchronous_standby_names gives the number of required standbys, in every form', () => {
  const asked = [
    '',
    ' ',
    '*',
    'one',
    'one, two',
    '"2 (x)"',
    '2 (one, two)',
    'FIRST 3 (*)',
    'any 2(one, two, three)',
  ]
  expect(asked.map(requiredStandbys)).toEqual([0, 0, 1, 1, 1, 1, 2, 3, 2])
})
