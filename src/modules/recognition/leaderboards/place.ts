import type { Caller } from '@/core/caller'
import { db } from '@/db/client'
import { findPlace } from './queries'

export const placeOf = ({ userId }: Caller) => findPlace(db, userId)
