import { describe, expect, test } from 'bun:test'
import { explained } from '../support/explained'
import { startServer } from '../support/processes'
import { BEFORE } from '../support/upgrades/data'
import { databaseOf, HISTORIES, type History } from '../support/upgrades/histories'

const headers = { authorization: `Bearer ${BEFORE.token}`, 'content-type': 'application/json' }

describe('a database of an earlier release', () => {
  for (const history of HISTORIES)
    test(`from ${history.name}: the server starts, and what is written is there`, async () => {
      const server = await startServer({ DATABASE_URL: await databaseOf(history) })
      const send = (method: string, path: string, body: object) =>
        fetch(`${server.url}/v1/${path}`, { method, headers, body: JSON.stringify(body) })
      const bio = await send('PATCH', 'profile', { bio: 'Still here.' })
      const webhook = await send('POST', 'developer/webhooks', {
        url: 'https://receiver.example/new',
        eventTypes: ['token.*'],
      })
      const token = await send('POST', 'profile/tokens', { name: 'After', scopes: ['read:user'] })
      expect([bio.status, webhook.status, token.status]).toEqual([200, 201, 201])
      const profile = await fetch(`${server.url}/v1/users/${BEFORE.username}`, { headers })
      expect(await profile.json()).toMatchObject({ data: { bio: 'Still here.' } })
      await server.stop()
    })
})

describe('a database of a newer release', () => {
  const last = HISTORIES.reduce((most, one) => (one.steps.length >= most.steps.length ? one : most))
  const newer: History = {
    name: 'newer',
    steps: [...last.steps, { text: 'select 1', when: Date.UTC(2100, 0) }],
  }

  for (const command of ['src/server.ts', 'workers/main.ts', 'scripts/migrate.ts'])
    test(`ends ${command} with one sentence`, async () => {
      const { code, sentence } = await explained(command, { DATABASE_URL: await databaseOf(newer) })
      expect([code, sentence]).toEqual([
        1,
        'The database was brought up to date by a newer release than this one: start that release, or restore the backup that was made before the upgrade.',
      ])
    })
})
