import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { conflict, notFound } from '@/core/errors'
import { line } from '@/core/fields'
import { refusals } from '@/core/refusals'
import { passCache } from '../passes/cache'
import { passIdOf } from '../passes/id'
import { isInUse, NOT_IN_USE } from '../passes/in-use'
import { isOwned } from '../passes/owned-pass'
import { meet } from './meet'

export const connectByPass = action({
  name: 'connectByPass',
  access: 'write:meetpass',
  summary: 'Connect with the owner of a pass',
  input: Type.Object({ id: line(1, 100) }),
  output: Type.Object({ connected: Type.Literal(true) }),
  errors: ['not_found', 'conflict', 'gone'],
  failureLimit: true,
  run: async (caller, { id }) => {
    const passId = passIdOf(id)
    const known = passId === undefined ? null : await passCache.get(passId)
    if (known === null) throw notFound('Pass')
    if (!isInUse(known)) throw NOT_IN_USE
    if (!isOwned(known)) throw conflict(refusals.tagUnclaimed)
    if (known.owner.id === caller.userId) throw conflict(refusals.ownPass)
    const { connected } = await meet(known, caller)
    if (!connected) throw NOT_IN_USE
    return { connected: true } as const
  },
})
