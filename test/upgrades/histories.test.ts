import { describe, test } from 'bun:test'
import { expectUpgrade } from '../support/upgrades/expect-upgrade'
import { HISTORIES } from '../support/upgrades/histories'

// The oldest one is in `test/db/upgrades.test.ts`.
describe('an upgrade gives the schema of a new database, and the rows are kept', () => {
  for (const history of HISTORIES.slice(1)) test(`from ${history.name}`, () => expectUpgrade(history))
})
