import { html, type Piece } from './html'
import type { Page } from './layout'

export type Link = { href: string; label: string }

type Message = Pick<Page, 'status' | 'headers'> & {
  title: string
  /** A sentence without its full stop, as refusals are. */
  text: string
  /** What else there is to say. */
  more?: Piece
  to: Link
}

export const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`)

/** Says what happened and leads on. */
export const message = ({ title, text, more, to, ...rest }: Message): Page => ({
  ...rest,
  title,
  body: html`<div class="card">
<h1>${title}</h1>
<p>${sentence(text)}</p>${more}
<a class="button wide" href="${to.href}">${to.label}</a>
</div>`,
})
