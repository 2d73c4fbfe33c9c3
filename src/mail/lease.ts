import { nowMs } from '@/core/clock'
import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { queueDb } from '@/db/client'
import { type MailRow, postponeMail } from './queries'

/** After so long without a word from the process that took a letter, another one takes it. */
const LEASE_MS = 60_000

export const leaseEnd = () => new Date(nowMs() + LEASE_MS)

/** Keeps a letter in the hands of this process for as long as the work on it takes: a mail server may be slow. */
export async function holding<T>(row: MailRow, work: () => Promise<T>): Promise<T> {
  let renewing: Promise<unknown> = Promise.resolve()
  const renew = () => {
    renewing = postponeMail(queueDb, row, leaseEnd()).catch((error) =>
      warnSparingly('mail: cannot keep what is being sent', reasonOf(error)),
    )
  }
  const timer = setInterval(renew, LEASE_MS / 4)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await renewing
  }
}
