import { expect, test } from 'bun:test'
import { chooseMutants } from '../../scripts/mutants/choose'
import { misplaced } from '../../scripts/mutants/misplaced'

test('every mutant finds its text and its tests, so a change of the code takes its mutants along', async () => {
  const mutants = await chooseMutants([])
  expect(mutants.length).toBeGreaterThan(0)
  expect(misplaced(mutants)).toEqual([])
})
