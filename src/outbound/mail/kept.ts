import { now } from '@/core/clock'
import type { Mail } from './mail'

export type KeptMail = Mail & { at: Date }

const MAILS_MAX = 100

const mails: KeptMail[] = []

export function keep(mail: Mail) {
  mails.unshift({ ...mail, at: now() })
  mails.length = Math.min(mails.length, MAILS_MAX)
}

/** Newest first. */
export const keptMails = (): readonly KeptMail[] => mails
