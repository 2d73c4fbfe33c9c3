import { cache } from '@/db/cache'
import { findUser, type UserRow } from './queries'

/** People as they are now, kept until a fact about them says otherwise. */
export const people = cache<UserRow | null>({ max: 20_000, load: findUser, drops: () => {} })
