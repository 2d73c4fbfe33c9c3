import { now } from '@/core/clock'
import { type Db, db, queueDb, type Tx } from '@/db/client'
import { mailboxKey } from '@/outbound/mail/mailbox-key'
import { deleteRefusal, hasRefusal, upsertRefusal } from './recipient-queries'

/** A mailbox that is not there: until it is heard of again, only what somebody waits for is sent to it. */
export const noteRefusal = (email: string) => upsertRefusal(queueDb, keyOf(email), now())

export const isRefusing = (email: string): Promise<boolean> => hasRefusal(db, keyOf(email))

/** Somebody has read a mail there. */
export const forgetRefusal = (tx: Tx | Db, email: string) => deleteRefusal(tx, keyOf(email))

const keyOf = (email: string) => mailboxKey(email.toLowerCase())
