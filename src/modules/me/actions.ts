import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import type { Caller } from '@/core/caller'
import { unauthorized } from '@/core/errors'
import { people } from './memory'
import { presentMe } from './present'
import type { UserRow } from './queries'
import { UserBasic } from './schema'

export const readMe = action({
  name: 'readMe',
  access: 'read:user',
  summary: 'Read who you are',
  input: Type.Object({}),
  output: UserBasic,
  run: (caller) => {
    const user = people.get(caller.userId)
    return user instanceof Promise ? user.then((row) => present(caller, row)) : present(caller, user)
  },
})

function present(caller: Caller, user: UserRow | null): UserBasic {
  if (user === null) throw unauthorized(true)
  return presentMe(caller, user)
}
