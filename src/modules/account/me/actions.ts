import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import type { Caller } from '@/core/caller'
import { badRequest, conflict, unauthorized } from '@/core/errors'
import { line } from '@/core/fields'
import { perObject } from '@/core/memo'
import { Success } from '@/core/page'
import { parser } from '@/core/parse'
import { refusals } from '@/core/refusals'
import { explain } from '@/db/conflicts'
import { transaction } from '@/db/transaction'
import { demandSettledAddress } from '@/modules/account/address-change/leave'
import { erase } from '@/modules/account/privacy/erase'
import { usePictures } from '@/modules/people/uploads/use'
import { people } from '@/modules/people/users/cache'
import { countAround, outdate } from '@/modules/people/users/follower-counts/count'
import { userPictures } from '@/modules/people/users/pictures'
import { findIdByUsername, lockUsers, type UserRow, updateProfileOf } from '@/modules/people/users/queries'
import { isReserved } from '@/modules/people/users/usernames'
import { maySeeAddress } from '@/modules/people/users/visible'
import { emit } from '@/outbox/emit'
import {
  presentMe,
  presentOwnProfile,
  UpdateProfileRequest,
  UserBasic,
  UsernameCheck,
  UserProfile,
} from './schema'

export const readMe = action({
  name: 'readMe',
  access: 'read:user',
  summary: 'Read your account',
  input: Type.Object({}),
  output: UserBasic,
  stable: true,
  run: (caller) => withMyself(caller, meWithAddress, meWithout),
})

export const readProfile = action({
  name: 'readProfile',
  access: 'read:user',
  summary: 'Read your own profile',
  input: Type.Object({}),
  output: UserProfile,
  stable: true,
  run: (caller) => withMyself(caller, profileWithAddress, profileWithout),
})

export const updateProfile = action({
  name: 'updateProfile',
  access: 'user',
  summary: 'Change your profile',
  description: 'Omitted fields stay unchanged; null clears a field.',
  input: UpdateProfileRequest,
  output: UserProfile,
  errors: ['conflict'],
  run: async (caller, change) => {
    const profile = await transaction(async (tx) => {
      if (change.username && isReserved(change.username)) throw conflict(refusals.usernameReserved)
      const before = myself((await lockUsers(tx, [caller.userId]))[0])
      const fields = Object.keys(change)
      if (fields.length === 0) return presentOwnProfile(before, maySeeAddress(caller))
      const shown = await usePictures(tx, caller.userId, userPictures, change)
      const after = await updateProfileOf(tx, caller.userId, shown).catch(explainTakenName)
      if (after.isPublic !== before.isPublic) await outdate(tx, caller.userId)
      await emit(tx, 'user.updated', { userId: caller.userId, fields })
      return presentOwnProfile(after, maySeeAddress(caller))
    })
    if (mayMove(change)) await countAround(caller.userId)
    return profile
  },
})

export const deleteProfile = action({
  name: 'deleteProfile',
  access: 'session',
  summary: 'Delete your account with all personal data',
  description:
    'Refused for seven days after a change of the email address, while the old address can undo it.',
  input: Type.Object({
    confirm: line(1, 100, { description: 'Your username, or your id if you have none.' }),
  }),
  output: Success,
  errors: ['conflict'],
  run: async ({ userId }, { confirm }) => {
    const done = await transaction(async (tx) => {
      const user = myself((await lockUsers(tx, [userId]))[0])
      if (confirm.toLowerCase() !== (user.username ?? user.id).toLowerCase())
        throw badRequest(refusals.confirmWithUsername)
      await demandSettledAddress(tx, userId)
      await erase(tx, user)
      return { success: true } as const
    })
    await countAround(userId)
    return done
  },
})

export const checkUsername = action({
  name: 'checkUsername',
  access: 'read:user',
  summary: 'Check whether a username is available',
  input: Type.Object({ username: line(1, 200) }),
  output: UsernameCheck,
  run: async ({ userId }, { username }) => {
    if (!isWellFormed(username))
      return {
        available: false,
        reason: 'Use 3 to 30 letters, digits or hyphens, with no hyphen at either end',
      }
    if (isReserved(username)) return { available: false, reason: refusals.usernameReserved }
    const holder = await findIdByUsername(username)
    return holder === null || holder === userId
      ? { available: true }
      : { available: false, reason: refusals.usernameTaken }
  },
})

const readUsername = parser(Type.Object({ username: UpdateProfileRequest.properties.username }))

function isWellFormed(username: string): boolean {
  try {
    readUsername({ username })
    return true
  } catch {
    return false
  }
}

const mayMove = ({ username, profileVisibility }: { username?: string; profileVisibility?: string }) =>
  username !== undefined || profileVisibility !== undefined

const meWithAddress = perObject((user: UserRow) => presentMe(user, true))
const meWithout = perObject((user: UserRow) => presentMe(user, false))
const profileWithAddress = perObject((user: UserRow) => presentOwnProfile(user, true))
const profileWithout = perObject((user: UserRow) => presentOwnProfile(user, false))

type Present<T> = (user: UserRow) => T

/** Async only if not cached: a promise costs 6 % of `GET /v1/me`. */
function withMyself<T>(caller: Caller, withAddress: Present<T>, without: Present<T>): T | Promise<T> {
  const present = maySeeAddress(caller) ? withAddress : without
  const person = people.get(caller.userId)
  return person instanceof Promise
    ? person.then((known) => present(myself(known ?? undefined)))
    : present(myself(person ?? undefined))
}

/** A cached credential may briefly outlive a deleted account. */
function myself(user: UserRow | undefined): UserRow {
  if (!user) throw unauthorized(true)
  return user
}

const explainTakenName = explain({ users_username_key: () => conflict(refusals.usernameTaken) })
