import { type Html, html } from '@/web/html'
import type { Link } from '@/web/message'

const SUN = html`<svg viewBox="0 0 48 48" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round"><path d="M4 38h40M12 38a12 12 0 0 1 24 0"/><path d="M24 12v6M8.5 22.5l4 4M39.5 22.5l-4 4"/></svg>`

type Empty = {
  title: string
  text?: string
  to?: Link
  level?: 'h2' | 'h3'
}

/** An empty state with the next step. */
export const emptyState = ({ title, text, to, level = 'h2' }: Empty): Html =>
  html`<div class="empty">${SUN}
${level === 'h2' ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`}
${text && html`<p class="quiet">${text}</p>`}
${to && html`<a class="button" href="${to.href}">${to.label}</a>`}</div>`
