import { action } from '@/core/action'
import { conflict } from '@/core/errors'
import { iso } from '@/core/shapes'
import { audit } from '@/db/audit'
import { transaction } from '@/db/transaction'
import { makeSignInLink } from '@/modules/access/sign-in/mail/operator-link'
import { register } from '@/modules/access/sign-in/people/register'
import { lockIdByAddress } from '@/modules/access/sign-in/queries'
import { lockUsers, type UserRow } from '@/modules/people/users/queries'
import { changeStanding } from '../standing'
import { AdministratorCreated, AdministratorInput } from './schema'

export const createAdministrator = action({
  name: 'createAdministrator',
  access: 'operator',
  summary: 'Make the account of a mail address an administrator, with a link that signs them in once',
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
      if (before.suspendedAt) throw conflict('This account is suspended: it has to be let back in first')
      if (before.role !== 'admin') await changeStanding(tx, before, { role: 'admin' })
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
