import { Type } from '@sinclair/typebox'
import { id } from '@/core/fields'
import { clipped } from '@/core/text'
import type { Part } from '@/mail/letter'
import type { Words } from '@/words/words'
import type { Place } from './place'

/** Subjects quote and truncate the title, so that it cannot pass for our own words. */
const TITLE_MAX = 80

export const shortTitle = ({ event }: Place) => clipped(event.title, TITLE_MAX)

export const AboutEvent = Type.Object({ eventId: id() })

export const eventButton = ({ event }: Place, { eventMails }: Words): Part => ({
  button: eventMails.see,
  url: event.url,
})
