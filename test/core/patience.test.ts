import { expect, test } from 'bun:test'
import { unavailableBy } from '@/core/errors'
import { patience, patientTimeout } from '@/core/patience'
import { waitForServer } from '@/db/migrate/wait-for-server'
import { sentenceFor } from '@/lifecycle/explain'
import { until } from '../support/processes'
import { usualDeadlines } from '../support/usual-deadlines'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('a timeout delayed by a starved process still accepts answers that arrived meanwhile', async () => {
  using _ = usualDeadlines()
  const fired: string[] = []
  setTimeout(() => fired.push('plain'), 20)
  const patient = patientTimeout(20, () => fired.push('patient'))
  Bun.sleepSync(150)
  await turn()
  await turn()
  patient.clear()
  expect(fired).toEqual(['plain'])
})

test('a timeout fires eventually', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  patientTimeout(5, resolve)
  await promise
})

test('deadlines grow while the process is starved and shrink afterwards', async () => {
  using _ = usualDeadlines()
  await until('the process runs well', () => patience() === 1)
  for (let i = 0; i < 20 && patience() === 1; i += 1) {
    Bun.sleepSync(100)
    await Bun.sleep(1)
  }
  expect(patience()).toBe(4)
  await until('the process has recovered', () => patience() === 1)
})

/** As Drizzle wraps what the pool throws. */
const silent = () => new Error('Failed query', { cause: unavailableBy('DATABASE_SILENT') })

test('a start waits for a slow database and logs it once', async () => {
  let asked = 0
  const said: string[] = []
  const answer = await waitForServer(
    async () => {
      asked += 1
      if (asked < 3) throw silent()
      return 'there'
    },
    (fault) => said.push(fault),
  )
  expect([answer, asked, said]).toEqual(['there', 3, ['DATABASE_SILENT']])
})

test('a failed start on a busy machine ends with a readable message', () => {
  expect(sentenceFor(silent())).toBe(
    'The database does not answer in time (DATABASE_SILENT): this machine, or that of the database, is too busy. Start again when it is quieter.',
  )
})
