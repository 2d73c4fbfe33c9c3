import { action } from '@/core/action'
import { changesOf } from '@/core/changes'
import { Nothing, pageOf } from '@/core/page'
import { iso } from '@/core/shapes'
import { audit } from '@/db/audit'
import { db, type Tx } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { transaction } from '@/db/transaction'
import { presentOwnProfile } from '@/modules/account/me/schema'
import { erase } from '@/modules/account/privacy/erase'
import { countGroupsOfStaff } from '@/modules/community/groups/manage/queries'
import { countAround } from '@/modules/people/users/follower-counts/count'
import { lockUsers } from '@/modules/people/users/queries'
import { lockNamed } from '@/modules/people/users/visible'
import { accountStatusOf, changeAccountStatus } from './account-status'
import { type AccountRow, listAccounts, NEWEST_FIRST } from './queries'
import { AccountChange, AccountInput, AccountsInput, AdminUser } from './schema'

export const listAllUsers = action({
  name: 'listAllUsers',
  access: 'admin',
  reads: true,
  summary: 'List all people, including private and suspended ones',
  description: 'The newest come first.',
  input: AccountsInput,
  output: pageOf(AdminUser),
  run: (_caller, { search, role, ...input }) =>
    keysetPage(
      {
        list: 'admin-users',
        filters: { search, role },
        input,
        order: NEWEST_FIRST,
        rows: (after, cut) => listAccounts(db, { search, role }, after, cut),
      },
      presentAccount,
    ),
})

export const changeUser = action({
  name: 'changeUser',
  access: 'admin',
  summary: 'Change the role of a person, or suspend or reinstate them',
  description:
    'Suspending a person revokes all their sessions and tokens at once and hides them until they are reinstated. ' +
    'The last administrator cannot be removed.',
  input: AccountChange,
  output: AdminUser,
  errors: ['not_found', 'conflict'],
  run: async (caller, { userId: named, ...asked }) => {
    const account = await transaction(async (tx) => {
      const before = await lockNamed(tx, named, lockOne)
      const groupCount = await countGroupsOfStaff(tx, before.id)
      const changes = changesOf(accountStatusOf(before), asked)
      if (Object.keys(changes).length === 0) return presentAccount({ ...before, groupCount })
      const after = await changeAccountStatus(tx, before, {
        ...(changes.role && { role: asked.role }),
        ...(changes.suspended && { suspended: asked.suspended }),
      })
      await audit(tx, caller, { action: 'user.update', targetType: 'user', targetId: before.id, changes })
      return presentAccount({ ...after, groupCount })
    })
    if (asked.suspended !== undefined) await countAround(account.id)
    return account
  },
})

export const deleteUser = action({
  name: 'deleteUser',
  access: 'admin',
  summary: "Delete a person's account with all personal data",
  input: AccountInput,
  output: Nothing,
  errors: ['not_found', 'conflict'],
  run: async (caller, { userId: named }) => {
    let gone = ''
    await transaction(async (tx) => {
      const user = await lockNamed(tx, named, lockOne)
      await erase(tx, user)
      await audit(tx, caller, { action: 'user.delete', targetType: 'user', targetId: user.id })
      gone = user.id
    })
    await countAround(gone)
  },
})

const lockOne = async (tx: Tx, id: string) => (await lockUsers(tx, [id]))[0]

/** Administrators see what the person sees, including the mail address. */
const presentAccount = (account: AccountRow): AdminUser => ({
  ...presentOwnProfile(account, true),
  suspended: account.suspendedAt !== null,
  lastLoginAt: iso(account.lastLoginAt),
  groupCount: account.groupCount,
})
