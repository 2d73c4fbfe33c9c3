import { queryOf, type Visit } from '@/http/visit'
import { formToken } from '@/web/form-token'
import { type Html, html, type Piece } from '@/web/html'
import { signedIn } from '@/web/page'
import { day } from '@/web/time'
import type { Words } from '@/words/words'

export const askedOf = ({ request }: Visit): URLSearchParams => new URLSearchParams(queryOf(request.url))

/** The success message after a form. */
export const done = (text: string | false | null | undefined): Html | false =>
  Boolean(text) && html`<p class="notice" role="status">${text}</p>\n`

export const dayIn = (words: Words, at: string): Html => day(new Date(at), words)

type Deed = {
  /** Its name among the forms of the page. */
  name: string
  /** Hidden fields. */
  hidden?: Record<string, string>
  fields?: Piece
  button: string
  kind?: '' | 'plain' | 'danger' | 'small plain' | 'link'
  /** A label for screen readers. */
  about?: string
}

export const deedForm = (
  visit: Visit,
  { name, hidden = {}, fields, button, kind = '', about }: Deed,
): Html => html`<form method="post" action="?do=${name}">
${formToken(signedIn(visit))}${Object.entries(hidden).map(
  ([key, value]) => html`<input type="hidden" name="${key}" value="${value}">`,
)}
${fields}<button class="${kind === 'link' ? kind : `button ${kind}`.trim()}"${about && html` aria-label="${about}"`}>${button}</button>
</form>`

type Fold = { title: Piece; text?: Piece; body: Piece; isAlarm?: boolean; isOpen?: boolean }

/** A confirmation: the button is folded below what will be lost. */
export const fold = ({ title, text, body, isAlarm, isOpen }: Fold): Html =>
  html`<details class="fold${isAlarm && ' alarm'}"${isOpen && html` open`}>
<summary>${title}</summary>
${text && html`<p>${text}</p>\n`}${body}
</details>`
