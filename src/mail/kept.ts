import { sealer } from '@/auth/sealing'
import { now } from '@/core/clock'
import { db } from '@/db/client'
import type { Mail } from '@/outbound/mail/mail'
import { findKept, insertKept, listKept } from './queries'

export type KeptMail = Mail & { at: Date }

const box = sealer('kept mail')

/** Without a mail server the demo keeps what it would have sent. */
export const keep = (mail: Mail) =>
  insertKept(db, { id: mail.id, sealed: box.seal(Buffer.from(JSON.stringify(mail)), mail.id), at: now() })

/** Newest first. */
export const readKept = async (max: number): Promise<KeptMail[]> => (await listKept(db, max)).map(open)

export async function readOneKept(id: string): Promise<KeptMail | undefined> {
  const found = await findKept(db, id)
  return found && open(found)
}

const open = ({ id, sealed, at }: { id: string; sealed: Uint8Array; at: Date }): KeptMail => ({
  ...(JSON.parse(Buffer.from(box.open(sealed, id)).toString()) as Mail),
  at,
})
