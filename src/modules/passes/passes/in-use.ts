import { AppError } from '@/core/errors'
import type { KnownPass } from './queries'

/** A refusal that is the same for a pass that was switched off and for one whose owner is suspended: nobody is to tell. */
export const NOT_IN_USE = new AppError('gone', 'This pass is not in use')

/** A blank tag is in use: it waits for its owner. */
export const isInUse = ({ pass, owner }: Pick<KnownPass, 'pass' | 'owner'>): boolean =>
  pass.isActive && (owner === null || owner.suspendedAt === null)
