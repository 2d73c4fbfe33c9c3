import { escape as escapeText } from 'ical-generator'
import { LINE_ENDS } from '@/core/line-ends'

/** RFC 5545 knows no control character but the tab, and some readers stumble over the second set of them too. */
const CONTROLS = /[\x00-\x08\x0e-\x1f\x7f-\x9f]/g

/**
 * What people typed, as a calendar can carry it; the library is given no other text. The end of a line in a value would begin a
 * property of its own. Halves of characters go first: without what stood between them they would be one.
 */
export const paragraphs = (typed: string): string =>
  typed.toWellFormed().replace(LINE_ENDS, '\n').replace(CONTROLS, '')

export const oneLine = (typed: string): string => paragraphs(typed).replace(/\n+/g, ' ').trim()

/** A backslash at the end of one name runs it into the next for ical.js, escaped or not: such a name loses it. */
export const names = (typed: readonly string[]): string[] =>
  typed.map((name) => oneLine(name).replace(/[\\\s]+$/, '')).filter((name) => name !== '')

/** For properties that the library writes as they are. */
export const escapedLine = (typed: string): string => escapeText(oneLine(typed), false)

/** An address is no text and is never escaped: what escaping would touch, or no address may hold, is percent-encoded. */
export const address = (url: string): string =>
  url.toWellFormed().replace(/%(?![\dA-Fa-f]{2})|[^\w!#$%&'()*+./:=?@[\]~-]/gu, encodeOne)

const encodeOne = (character: string) =>
  [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
