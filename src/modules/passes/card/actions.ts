import { action } from '@/core/action'
import { notFound } from '@/core/errors'
import { transaction } from '@/db/transaction'
import { passCache } from '@/modules/passes/passes/cache'
import { passIdOf } from '@/modules/passes/passes/id'
import { isInUse, NOT_IN_USE } from '@/modules/passes/passes/in-use'
import { PassInput } from '@/modules/passes/passes/schema'
import { follow } from '@/modules/people/follows/follow'
import { Following } from '@/modules/people/follows/schema'

/** For the form on the card, which knows only the pass. */
export const followPassOwner = action({
  name: 'followPassOwner',
  access: 'user',
  summary: 'Follow the owner of a pass',
  input: PassInput,
  output: Following,
  errors: ['not_found', 'gone'],
  failureLimit: true,
  run: async (caller, input) => {
    const id = passIdOf(input.id)
    const known = id === undefined ? null : await passCache.get(id)
    if (known === null) throw notFound('Pass')
    if (!isInUse(known)) throw NOT_IN_USE
    const { owner } = known
    if (owner === null) throw notFound('Owner')
    await transaction((tx) => follow(tx, caller, owner.id))
    return { following: true } as const
  },
})
