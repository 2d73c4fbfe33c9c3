import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
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
      const child = Bun.spawn([process.execPath, command], {
        cwd: join(import.meta.dir, '../..'),
        env: {
          PATH: process.env.PATH,
          DATABASE_URL: await databaseOf(newer),
          SECRET_KEY: 'Zk3vT9qLw7Yc2RbN8dXh5PfGm4JsUa6E',
          PORT: '0',
          BASE_URL: 'http://127.0.0.1:1',
        },
        stdout: 'pipe',
        stderr: 'pipe',
      })
      const said = await new Response(child.stderr).text()
      expect([await child.exited, said.trim()]).toEqual([
        1,
        'The database was brought up to date by a newer release than this one: start that release, or restore the backup that was made before the upgrade.',
      ])
    })
})
