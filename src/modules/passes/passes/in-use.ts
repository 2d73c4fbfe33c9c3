import { AppError } from '@/core/errors'
import { refusals } from '@/core/refusals'
import type { KnownPass } from './queries'

/** The same error for paused passes and suspended owners, so that suspensions stay secret. */
export const NOT_IN_USE = new AppError('gone', refusals.passNotInUse)

/** Blank tags are in use: they wait for an owner. */
export const isInUse = ({ pass, owner }: Pick<KnownPass, 'pass' | 'owner'>): boolean =>
  pass.isActive && (owner === null || owner.suspendedAt === null)
