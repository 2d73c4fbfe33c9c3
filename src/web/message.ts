import { Html, html, type Piece } from './html'
import type { Page } from './layout'

export type Link = { href: string; label: string }

type Message = Pick<Page, 'status' | 'headers'> & {
  title: string
  /** A sentence without its full stop, like errors. */
  text: string
  /** Small text above the title. */
  above?: Piece
  /** Small text below it. */
  below?: Piece
  /** The next step: a link or a form. */
  to: Link | Html
}

export const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`)

export const message = ({ title, text, above, below, to, ...rest }: Message): Page => ({
  ...rest,
  title,
  body: html`<div class="card">${above && html`\n<p class="above">${above}</p>`}
<h1>${title}</h1>
<p>${sentence(text)}</p>
${below}${to instanceof Html ? to : html`<a class="button wide" href="${to.href}">${to.label}</a>`}
</div>`,
})
