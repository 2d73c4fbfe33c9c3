import { now } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { deleteEndedSessions } from './queries'

export const sessionSweeps = [sweep({ name: 'sessions', run: () => deleteEndedSessions(db, now()) })]
