import { expect, test } from 'bun:test'
import { examine } from '../support/scale/examine'

const PEOPLE = Number(process.env.PEOPLE ?? 100_000)
/** Fewer people are planned for as if they were a million: reading half of a small table at once is right. */
const PLANNED = Math.max(PEOPLE, 1_000_000)

test(`in a community of ${PEOPLE} people, planned for as ${PLANNED}, nothing reads a large table from end to end, or sorts on disk`, async () => {
  const { steps, bad } = await examine(PEOPLE, { pretending: PLANNED })
  expect(bad).toEqual([])
  expect(steps.filter(({ status }) => Number(status) >= 500)).toEqual([])
}, 3_600_000)
