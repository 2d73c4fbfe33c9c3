import { now } from '@/core/clock'
import { type Db, db, queueDb, type Tx } from '@/db/client'
import { mailboxKey } from '@/outbound/mail/send'
import { deleteRefusal, hasRefusal, upsertRefusal } from './recipient-queries'

/** Records a mailbox that does not exist. Until it shows activity, only awaited letters are sent to it. */
export const noteRefusal = (email: string) => upsertRefusal(queueDb, keyOf(email), now())

export const isRefusing = (email: string): Promise<boolean> => hasRefusal(db, keyOf(email))

/** A reader opened a link from a mail, so the mailbox exists. */
export const forgetRefusal = (tx: Tx | Db, email: string) => deleteRefusal(tx, keyOf(email))

const keyOf = (email: string) => mailboxKey(email.toLowerCase())
