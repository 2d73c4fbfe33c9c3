import type { Caller } from '@/core/caller'
import { db } from '@/db/client'
import { findPlace } from './queries'

/** Where somebody stands on the global board, if they are on it. */
export const placeOf = ({ userId }: Caller) => findPlace(db, userId)
