import { expect, test } from 'bun:test'
import { examine } from '../support/scale/examine'

/** So few are filled in seconds; PostgreSQL plans as if they were a million. */
test('no request, sweep or schedule scans a large table or sorts on disk', async () => {
  const { steps, bad } = await examine(1500, { pretending: 1_000_000 })
  expect(bad).toEqual([])
  expect(steps.filter(({ status }) => Number(status) >= 500)).toEqual([])
  expect(steps.length).toBeGreaterThan(400)
}, 120_000)
