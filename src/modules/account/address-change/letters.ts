import { Type } from '@sinclair/typebox'
import { config } from '@/config/config'
import { now } from '@/core/clock'
import { wireId } from '@/core/shapes'
import { db } from '@/db/client'
import { letter } from '@/mail/letter'
import { fullDay } from '@/web/when'
import { isTaken } from './leave'
import { CONFIRM_MS, confirmUrl, undoUrl } from './links'
import { findChange, findConfirmable } from './queries'

const data = Type.Object({ changeId: wireId() })

/**
 * To the new address, which may belong to anyone: names no one and quotes nothing. If the address has an account, only its reader
 * learns that.
 */
export const confirmLetter = letter({
  name: 'address-confirm',
  kind: null,
  urgency: 'awaited',
  lifeMs: CONFIRM_MS,
  data,
  write: async ({ reader, words: { accountMails } }, { changeId }) => {
    const change = await findConfirmable(db, { id: changeId }, now())
    // Another address may have been requested since.
    if (!change || change.newEmail !== reader?.email) return null
    const words = accountMails.addressConfirm
    const { reason } = words
    const subject = words.subject(config.siteName)
    if (await isTaken(db, change))
      return {
        subject,
        parts: [{ say: words.taken }, { say: words.takenNext }, { quiet: words.ignore }],
        reason,
      }
    return {
      subject,
      parts: [
        { say: words.asked(config.siteName) },
        { button: words.button, url: confirmUrl(change) },
        { quiet: words.until },
        { quiet: words.ignore },
      ],
      reason,
    }
  },
})

/** To the old address: on the request, and after the change. */
export const noticeLetter = letter({
  name: 'address-notice',
  kind: null,
  urgency: 'security',
  data,
  write: async ({ reader, words }, { changeId }) => {
    const change = await findChange(db, changeId)
    if (!change || change.undoneAt !== null || change.undoUntil <= now()) return null
    const { addressNotice: said } = words.accountMails
    const isDone = change.confirmedAt !== null
    const until = fullDay(change.undoUntil, reader?.timeZone ?? null, words)
    return {
      subject: isDone ? said.changed(config.siteName) : said.asked(config.siteName),
      parts: [
        { say: isDone ? said.happened(veiled(change.newEmail)) : said.willHappen(veiled(change.newEmail)) },
        { say: said.wasYou },
        { say: said.wasNotYou },
        { button: said.button, url: undoUrl(change) },
        { quiet: isDone ? said.until(until) : said.untilThen },
      ],
    }
  },
})

/** Recognizable to the owner only: the old mailbox may belong to another person by now. */
const veiled = (email: string) => `${email[0]}…${email.slice(email.lastIndexOf('@'))}`
