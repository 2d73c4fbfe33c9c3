import { type Static, Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { conflict, notFound } from '@/core/errors'
import { line } from '@/core/fields'
import { Nothing, pageOf, wholePage } from '@/core/page'
import { refusals } from '@/core/refusals'
import { iso, orNull, wireTime } from '@/core/shapes'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { lockUsers } from '@/modules/people/users/queries'
import { maySeeAddress } from '@/modules/people/users/visible'
import { canSendMail } from '@/outbound/mail/send'
import { emit } from '@/outbox/emit'
import { providers } from '../providers/definitions'
import { deleteIdentity, type IdentityRow, listIdentities } from './queries'

const LinkedAccount = Type.Object(
  {
    provider: Type.String({ description: 'Such as `github`, `google`, `discord` or `oidc`.' }),
    providerUsername: orNull(Type.String({ description: 'Name at the provider.' })),
    providerEmail: orNull(
      Type.String({ description: 'Only for a session, or with the scope user:email; otherwise null.' }),
    ),
    createdAt: orNull(wireTime()),
  },
  { $id: 'LinkedAccount' },
)
type LinkedAccount = Static<typeof LinkedAccount>

export const listLinkedAccounts = action({
  name: 'listLinkedAccounts',
  access: 'user:linked-accounts',
  reads: true,
  summary: 'List linked sign-in accounts',
  input: Type.Object({}),
  output: pageOf(LinkedAccount),
  run: async (caller) => {
    const withAddress = maySeeAddress(caller)
    return wholePage((await listIdentities(db, caller.userId)).map((row) => present(row, withAddress)))
  },
})

const present = (row: IdentityRow, withAddress: boolean): LinkedAccount => ({
  provider: row.provider,
  providerUsername: row.username,
  providerEmail: withAddress ? row.email : null,
  createdAt: iso(row.createdAt),
})

export const unlinkAccount = action({
  name: 'unlinkAccount',
  access: 'session',
  summary: 'Unlink a sign-in account',
  description: 'The last way to sign in cannot be unlinked.',
  input: Type.Object({ provider: line(1, 40) }),
  output: Nothing,
  errors: ['not_found', 'conflict'],
  run: ({ userId }, { provider }) =>
    transaction(async (tx) => {
      // Locked, because two concurrent removals would each see the other's account.
      const [person] = await lockUsers(tx, [userId])
      const linked = await listIdentities(tx, userId)
      if (!linked.some((identity) => identity.provider === provider)) throw notFound('Linked account')
      const byMail = canSendMail() && !!person?.email
      if (!byMail && waysWithout(provider, linked).length === 0) throw conflict(refusals.lastSignIn)
      await deleteIdentity(tx, userId, provider)
      await emit(tx, 'user.updated', { userId, fields: ['linkedAccounts'] })
    }),
})

/** The remaining ways to sign in that work now: a provider that is not configured does not count. */
function waysWithout(provider: string, linked: IdentityRow[]): IdentityRow[] {
  const others = linked.filter((identity) => identity.provider !== provider)
  return providers.has(provider) ? others.filter((identity) => providers.has(identity.provider)) : others
}
