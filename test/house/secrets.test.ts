import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { askRefresh, type MadeClient, makeTokens } from '../modules/access/oauth/fixtures'
import { askAndRead, newAddress, signIn } from '../modules/access/sign-in/fixtures'
import { get, post } from '../support/api'
import { makeAdmin, makeCaller, makeGroup, makeUser } from '../support/make'

/** Everything that the database holds, as whoever steals a backup of it reads it. */
async function dump(): Promise<string> {
  const tables = await db.execute<{ name: string }>(sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`)
  const parts: string[] = []
  for (const { name } of tables)
    for (const row of await db.execute<{ row: string }>(sql`select t::text as row from ${sql.raw(name)} t`))
      parts.push(row.row)
  return parts.join('\n').toLowerCase()
}

/** The forms in which a secret could lie there. */
function formsOf(secret: string): string[] {
  const random = secret.replace(/^(fm_[a-z]+_|whsec_)/, '')
  const bytes = secret.startsWith('whsec_') ? Buffer.from(random, 'base64') : Buffer.from(random)
  const raw = /^[0-9a-f]+$/.test(random) ? [Buffer.from(random, 'hex').toString('base64')] : []
  return [
    random,
    bytes.toString('hex'),
    bytes.toString('base64'),
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('base64'),
    ...raw,
  ].map((form) => form.toLowerCase())
}

test('a copy of the database contains no usable secret', async () => {
  const { token: maker } = await makeCaller(['user', 'developer'])
  /** With a key, so that a replay could have been kept. */
  const made = async (path: string, json: object, token = maker) => {
    const answer = await post(path, { token, json, headers: { 'idempotency-key': crypto.randomUUID() } })
    expect([path, answer.status]).toEqual([path, 201])
    return answer.body.data
  }
  const { token } = await made('/v1/profile/tokens', { name: 'copied', scopes: ['read:user'] })
  const redirectUris = ['https://app.example/callback']
  const app = await made('/v1/developer/apps', { name: 'Copied', redirectUris })
  const { clientId, clientSecret } = app
  const hooks = '/v1/developer/webhooks'
  const hook = await made(hooks, { url: 'https://later.example.org/' })
  const rotated = (await post(`${hooks}/${hook.id}/rotate-secret`, { token: maker })).body.data
  const feed = (await get('/v1/profile/feed-token', { token: maker })).body.data.feedToken
  const rotate = { token: maker, headers: { 'idempotency-key': crypto.randomUUID() } }
  const rotatedFeed = (await post('/v1/profile/feed-token/rotate', rotate)).body.data.feedToken
  const admin = await makeAdmin()
  const group = await makeGroup({}, (await makeUser()).id)
  const invite = await made(`/v1/admin/groups/${group.id}/claim-invites`, {}, admin.token)
  const letter = await askAndRead(newAddress())
  const session = await signIn(newAddress())
  const client = {
    clientId,
    secret: clientSecret,
    authMethod: 'client_secret_basic',
    redirectUris,
  } as unknown as MadeClient
  const { access, refresh, code } = await makeTokens(client)
  const next = (await askRefresh(client, refresh)).body

  const secrets = {
    token,
    clientSecret,
    hook: hook.secret,
    rotated: rotated.secret,
    feed,
    rotatedFeed,
    invite: invite.token,
    link: letter.token,
    session,
    access,
    refresh,
    code,
    nextAccess: next.access_token,
    nextRefresh: next.refresh_token,
  }
  const kept = await dump()
  expect(kept).toContain(clientId)
  for (const [what, secret] of Object.entries(secrets)) {
    expect([what, typeof secret, String(secret).length > 20]).toEqual([what, 'string', true])
    for (const form of formsOf(secret as string)) expect([what, kept.includes(form)]).toEqual([what, false])
  }
  // Six digits stand in many places: of the code, nothing may lie beside the address that it was sent to.
  const [row] = await db.execute<{ row: string }>(sql`
    select t::text as row from sign_in_mails t where email = ${letter.mail.to}`)
  expect([
    row?.row.includes(letter.code),
    row?.row.includes(Buffer.from(letter.code).toString('hex')),
  ]).toEqual([false, false])
})
