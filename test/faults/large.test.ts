import { expect, test } from 'bun:test'
import { examine } from '../support/scale/examine'

const PEOPLE = Number(process.env.PEOPLE ?? 100_000)

test(`in a community of ${PEOPLE} people nothing reads a large table from end to end, or sorts on disk`, async () => {
  const { steps, bad } = await examine(PEOPLE)
  expect(bad).toEqual([])
  expect(steps.filter(({ status }) => Number(status) >= 500)).toEqual([])
}, 3_600_000)
