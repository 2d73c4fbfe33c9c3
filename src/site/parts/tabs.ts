import { type Html, html } from '@/web/html'
import type { Link } from '@/web/message'

/** Tabs; `current` is the address of this page. */
export const tabs = (label: string, links: readonly Link[], current: string): Html =>
  html`<nav aria-label="${label}"><ul class="tabs" role="list">${links.map(
    ({ href, label: name }) =>
      html`<li><a href="${href}"${href === current && html` aria-current="page"`}>${name}</a></li>`,
  )}</ul></nav>
`
