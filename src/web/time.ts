import { iso } from '@/core/shapes'
import { type Html, html } from './html'

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** A day in words, for people and for programs. */
export const day = (date: Date): Html => html`<time datetime="${iso(date)}">${DAY.format(date)}</time>`
