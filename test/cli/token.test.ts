import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { token } from '@/cli/commands'
import { helpFor } from '@/cli/help'
import { db } from '@/db/client'
import { auditLog } from '@/db/tables/administration'
import { get } from '../support/api'
import { mailsAfter } from '../support/letters'
import { makeAdmin, makeUser } from '../support/make'

const create = async (person: string, options: Record<string, string>) =>
  JSON.parse((await token.run([person], { asJson: true, options: new Map(Object.entries(options)) })).text)
    .data

const READS = { '--name': 'Nightly report', '--scopes': 'read:user, read:events', '--days': '90' }

describe('folkmoot token create', () => {
  test('creates a working token by address or username and notifies its owner', async () => {
    const user = await makeUser()
    const made = await create((user.email as string).toUpperCase(), READS)
    expect(made).toMatchObject({ name: 'Nightly report', scopes: 'read:user read:events' })
    expect(Math.round((Date.parse(made.expiresAt) - Date.now()) / 86_400_000)).toBe(90)
    expect((await get('/v1/me', { token: made.token })).body.data.id).toBe(user.id)
    expect((await mailsAfter(0, user))[0]?.text).toContain('Nightly report')

    const endless = await create(user.username as string, { '--name': 'x', '--scopes': 'read:user' })
    expect(endless.expiresAt).toBeNull()
    expect((await get('/v1/me', { token: endless.token })).status).toBe(200)
  })

  test("writes an audit entry without the secret and the token's name", async () => {
    const user = await makeUser()
    const made = await create(user.username as string, READS)
    const entries = await db.select().from(auditLog).where(eq(auditLog.targetId, user.id))
    expect(entries).toMatchObject([
      {
        action: 'token.create',
        actorId: null,
        changes: { tokenId: made.id, scopes: ['read:user', 'read:events'] },
      },
    ])
    expect(JSON.stringify(entries)).not.toMatch(new RegExp(`${made.token}|Nightly`))
  })

  test('grants no scope beyond the role, and refuses deleted, suspended and unknown people', async () => {
    const admin = { '--name': 'x', '--scopes': 'admin' }
    const user = await makeUser()
    await expect(create(user.username as string, admin)).rejects.toMatchObject({ appCode: 'forbidden' })
    const { user: administrator } = await makeAdmin()
    const made = await create(administrator.username as string, admin)
    expect((await get('/v1/admin/jobs', { token: made.token })).status).toBe(200)

    const suspended = await makeUser({ suspendedAt: new Date() })
    await expect(create(suspended.username as string, READS)).rejects.toMatchObject({ appCode: 'conflict' })
    for (const nobody of ['nobody@folk.example', 'nobody-of-this-name'])
      await expect(create(nobody, READS)).rejects.toMatchObject({ appCode: 'not_found' })
  })

  test('names an unknown scope, and shows required flags in its help', async () => {
    const { username } = await makeUser()
    const options = { '--name': 'x', '--scopes': 'read:user,read:evnts' }
    await expect(create(username as string, options)).rejects.toThrow(
      /^--scopes: there is no scope read:evnts\. There are: .*read:events/,
    )
    expect(helpFor(token)).toStartWith(
      'folkmoot token create <address or username> --name <name> --scopes <scopes> [--days <number>] [--json]',
    )
  })

  test('validates its input with the messages of the route', async () => {
    const { username } = await makeUser()
    for (const options of [
      {},
      { '--name': 'x' },
      { '--name': 'x', '--scopes': 'read:everything' },
      { ...READS, '--days': '0' },
      { ...READS, '--days': 'soon' },
    ])
      await expect(create(username as string, options as Record<string, string>)).rejects.toMatchObject({
        appCode: 'validation_error',
      })
  })

  test('names the wrong flag instead of the field of the route', async () => {
    const { username } = await makeUser()
    await expect(create(username as string, { ...READS, '--days': '0' })).rejects.toThrow(/^--days must be/)
    await expect(create(username as string, { '--name': 'x' })).rejects.toThrow(/^--scopes /)
  })
})
