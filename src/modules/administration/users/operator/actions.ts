import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { conflict, notFound } from '@/core/errors'
import { line } from '@/core/fields'
import { scopesOfRole } from '@/core/scopes'
import { iso, orNull, ownUrl, wireId, wireTime } from '@/core/shapes'
import { audit } from '@/db/audit'
import type { Tx } from '@/db/client'
import { transaction } from '@/db/transaction'
import { mailAddress } from '@/modules/access/sign-in/addresses'
import { makeSignInLink } from '@/modules/access/sign-in/mail/operator-link'
import { register } from '@/modules/access/sign-in/people/register'
import { lockIdByAddress } from '@/modules/access/sign-in/queries'
import { expiryIn, grantableScopes, makeToken } from '@/modules/access/tokens/make'
import { CreateTokenRequest, TokenCreated } from '@/modules/access/tokens/schema'
import { lockUsers, type UserRow } from '@/modules/people/users/queries'
import { lockNamed } from '@/modules/people/users/visible'
import { changeAccountStatus } from '../account-status'

const AdministratorInput = Type.Object({ email: mailAddress() })

const AdministratorCreated = Type.Object({
  id: wireId(),
  username: orNull(Type.String()),
  isNew: Type.Boolean({ description: 'Whether the account was created.' }),
  signInUrl: ownUrl('A one-time sign-in link.'),
  expiresAt: wireTime(),
})

const TokenForInput = Type.Object({
  ...CreateTokenRequest.properties,
  person: line(1, 254, { description: 'The mail address, the username or the id of a person.' }),
})

export const createAdministrator = action({
  name: 'createAdministrator',
  access: 'operator',
  summary: 'Make the account of an email address an administrator, with a one-time sign-in link',
  input: AdministratorInput,
  output: AdministratorCreated,
  errors: ['conflict'],
  secret: true,
  run: (caller, { email }) =>
    transaction(async (tx) => {
      const address = email.toLowerCase()
      const known = await lockIdByAddress(tx, address)
      const id = known ?? (await register(tx, { email: address, login: null, name: null }))
      const [before] = (await lockUsers(tx, [id])) as [UserRow]
      demandActive(before)
      if (before.role !== 'admin') await changeAccountStatus(tx, before, { role: 'admin' })
      const { url, expiresAt } = await makeSignInLink(tx, address)
      await audit(tx, caller, {
        action: 'administrator.create',
        targetType: 'user',
        targetId: id,
        changes: { role: { from: before.role, to: 'admin' } },
      })
      return {
        id,
        username: before.username,
        isNew: known === undefined,
        signInUrl: url,
        expiresAt: iso(expiresAt),
      }
    }),
})

export const createTokenFor = action({
  name: 'createTokenFor',
  access: 'operator',
  summary: 'Create a personal access token for a person, with scopes that their role allows',
  description: 'The response contains the token, which cannot be read again. Its owner gets an email.',
  input: TokenForInput,
  output: TokenCreated,
  errors: ['not_found', 'conflict'],
  secret: true,
  run: (caller, { person, name, scopes: asked, expiresInDays }) =>
    transaction(async (tx) => {
      const owner = await lockPerson(tx, person)
      demandActive(owner)
      const scopes = grantableScopes({ ...caller, scopes: scopesOfRole(owner.role === 'admin') }, asked)
      const expiresAt = expiryIn(expiresInDays)
      const made = await makeToken(tx, { userId: owner.id, name, scopes, expiresAt, madeBy: null })
      await audit(tx, caller, {
        action: 'token.create',
        targetType: 'user',
        targetId: owner.id,
        changes: { tokenId: made.id, scopes, expiresAt: made.expiresAt },
      })
      return made
    }),
})

async function lockPerson(tx: Tx, named: string): Promise<UserRow> {
  if (!named.includes('@')) return lockNamed(tx, named, lockOne)
  const id = await lockIdByAddress(tx, named.toLowerCase())
  const found = id === undefined ? undefined : await lockOne(tx, id)
  if (found === undefined) throw notFound('User')
  return found
}

const lockOne = async (tx: Tx, id: string) => (await lockUsers(tx, [id]))[0]

function demandActive({ suspendedAt }: UserRow) {
  if (suspendedAt) throw conflict('This account is suspended: reinstate it first')
}
