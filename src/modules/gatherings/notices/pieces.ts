import { Type } from '@sinclair/typebox'
import { clipped } from '@/core/clipped'
import { id } from '@/core/fields'
import type { Part } from '@/mail/letter'
import type { Words } from '@/words/words'
import type { Place } from './place'

/** A subject quotes a title, so that it does not pass for words of ours, and shows the beginning of a long one. */
const TITLE_MAX = 80

export const shortTitle = ({ event }: Place) => clipped(event.title, TITLE_MAX)

export const AboutEvent = Type.Object({ eventId: id() })

export const eventButton = ({ event }: Place, { eventMails }: Words): Part => ({
  button: eventMails.see,
  url: event.url,
})
