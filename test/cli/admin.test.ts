import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { admin } from '@/cli/commands'
import { demand } from '@/core/caller'
import { db } from '@/db/client'
import { auditLog } from '@/db/tables/administration'
import { signInMails } from '@/db/tables/sign-in'
import { users } from '@/db/tables/users'
import { later, newAddress, sessionIn, submit } from '../modules/access/sign-in/fixtures'
import { get } from '../support/api'
import { runFolkmoot } from '../support/command-line'
import { makeUser } from '../support/make'
import { ownDatabase, startServer } from '../support/processes'

type Created = { id: string; username: string; isNew: boolean; signInUrl: string; expiresAt: string }

const create = async (address: string): Promise<Created> =>
  JSON.parse((await admin.run([address], { asJson: true })).text).data

const tokenIn = ({ signInUrl }: Created) => new URL(signInUrl).searchParams.get('token') as string

const enter = (created: Created) => submit('/auth/email/verify', { token: tokenIn(created) })

const rowOf = async (id: string) => (await db.select().from(users).where(eq(users.id, id)))[0]

describe('folkmoot admin create', () => {
  test('creates an account, an administrator, and a one-time sign-in link for any browser', async () => {
    const email = newAddress()
    const created = await create(email.toUpperCase())
    expect(created.isNew).toBe(true)
    const page = await get(`/auth/email/verify?token=${tokenIn(created)}`)
    expect([page.status, page.text.includes(email)]).toEqual([200, true])
    const entered = await enter(created)
    expect(entered.status).toBe(303)
    const me = await get('/v1/me', { session: sessionIn(entered) })
    expect(me.body.data).toMatchObject({ id: created.id, email })
    expect((await get('/v1/admin/jobs', { session: sessionIn(entered) })).status).toBe(200)
    expect((await enter(created)).status).toBe(410)
  })

  test('writes an audit entry without a person or secret, and stores only a hash', async () => {
    const user = await makeUser()
    const created = await create(user.email as string)
    expect(created).toMatchObject({ id: user.id, username: user.username, isNew: false })
    expect((await rowOf(user.id))?.role).toBe('admin')
    const entries = await db.select().from(auditLog).where(eq(auditLog.targetId, user.id))
    expect(entries).toMatchObject([
      { action: 'administrator.create', actorId: null, changes: { role: { from: 'user', to: 'admin' } } },
    ])
    const kept = await db
      .select()
      .from(signInMails)
      .where(eq(signInMails.email, user.email as string))
    expect(kept).toHaveLength(1)
    expect(JSON.stringify([entries, kept])).not.toContain(tokenIn(created))
  })

  test('prints a link that is valid for an hour, and no code', async () => {
    const email = newAddress()
    const created = await create(email)
    const inAnHour = Date.parse(created.expiresAt) - Date.now()
    expect(Math.abs(inAnHour - 3_600_000)).toBeLessThan(60_000)
    for (const code of ['000000', '123456'])
      expect((await submit('/auth/email/verify', { email, code })).status).toBe(410)
    expect((await later(3_600_000, () => enter(created))).status).toBe(410)
  })

  test('refuses suspended people and invalid addresses', async () => {
    const { email } = await makeUser({ suspendedAt: new Date() })
    await expect(create(email as string)).rejects.toMatchObject({ appCode: 'conflict' })
    await expect(create('ada')).rejects.toMatchObject({ appCode: 'validation_error' })
  })

  test('is not available through the API', () => {
    const caller = {
      userId: 'x',
      role: 'admin',
      scopes: new Set(['admin'] as const),
      credential: { kind: 'session', id: 'y' },
    } as const
    expect(() => demand({ visitor: caller, id: 'z', onSite: false }, 'operator')).toThrow('on the host')
  })

  test('works beside a production server without mail and providers', async () => {
    const DATABASE_URL = await ownDatabase()
    const server = await startServer({ DATABASE_URL })
    const { output, errors, exitCode } = await runFolkmoot(['admin', 'create', 'ada@folk.example'], {
      DATABASE_URL,
      BASE_URL: server.url,
    })
    expect([exitCode, errors]).toEqual([0, ''])
    const [url = ''] = /http:\S+/.exec(output) ?? []
    expect((await fetch(url)).status).toBe(200)
    const entered = await fetch(`${server.url}/auth/email/verify`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ token: new URL(url).searchParams.get('token') as string }),
    })
    expect([entered.status, entered.headers.get('set-cookie')?.slice(0, 8)]).toEqual([303, 'session='])
    expect((await fetch(url)).status).toBe(410)
    await server.stop()
    expect(server.output()).not.toContain('ada@folk.example')
  })
})
