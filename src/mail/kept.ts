import { sealer } from '@/auth/secrets'
import { now } from '@/core/clock'
import { db } from '@/db/client'
import type { Mail } from '@/outbound/mail/mail'
import { mailboxKey } from '@/outbound/mail/send'
import { findKept, insertKept, listKept } from './recipient-queries'

export type KeptMail = Mail & { at: Date }

const box = sealer('kept mail')

/** Without a mail server the demo stores its mails for /dev/mailbox. */
export const keep = (mail: Mail) =>
  insertKept(db, {
    id: mail.id,
    mailbox: keyOf(mail.to),
    sealed: box.seal(Buffer.from(JSON.stringify(mail)), mail.id),
    at: now(),
  })

const keyOf = (address: string) => mailboxKey(address.toLowerCase())

/** Newest first; all of them, or those to one address. */
export async function readKept(max: number, to?: string): Promise<KeptMail[]> {
  const mails = (await listKept(db, max, to === undefined ? undefined : keyOf(to))).map(open)
  return to === undefined ? mails : mails.filter((mail) => mail.to === to)
}

export async function readOneKept(id: string): Promise<KeptMail | undefined> {
  const found = await findKept(db, id)
  return found && open(found)
}

const open = ({ id, sealed, at }: { id: string; sealed: Uint8Array; at: Date }): KeptMail => ({
  ...(JSON.parse(Buffer.from(box.open(sealed, id)).toString()) as Mail),
  at,
})
