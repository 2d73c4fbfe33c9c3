import { listeners } from '@/areas'
import { mailsTo } from '../modules/access/sign-in/fixtures'
import { drain } from './drain'
import { later } from './time'

/** What somebody would find in their mailbox so much time after what has happened now, the oldest first. */
export async function mailsAfter(ms: number, { email }: { email: string | null }) {
  await drain(listeners)
  return later(ms, async () => (await mailsTo(email as string)).reverse())
}
