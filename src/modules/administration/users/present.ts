import { iso } from '@/core/shapes'
import { presentOwnProfile } from '@/modules/account/me/present'
import type { AccountRow } from './queries'
import type { AdminUser } from './schema'

/** Administrators see what the person sees, mail address included. */
export const presentAccount = (account: AccountRow): AdminUser => ({
  ...presentOwnProfile(account, true),
  suspended: account.suspendedAt !== null,
  lastLoginAt: iso(account.lastLoginAt),
  groupCount: account.groupCount,
})
