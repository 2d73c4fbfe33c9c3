import { tabs } from '@/site/parts/list'
import { type Html, html } from '@/web/html'
import type { Page } from '@/web/layout'
import type { Words } from '@/words/words'

export const DEVELOPER = '/developer'
export const APPS = `${DEVELOPER}/apps`
export const WEBHOOKS = `${DEVELOPER}/webhooks`
export const TOKENS = '/settings/tokens'

export const appPath = (clientId: string) => `${APPS}/${encodeURIComponent(clientId)}`
export const webhookPath = (id: string) => `${WEBHOOKS}/${encodeURIComponent(id)}`

export const developerPage = ({ developer }: Words, current: string, title: string, body: Html): Page => ({
  title,
  width: 'wide',
  body: html`<h1 dir="auto">${title}</h1>
${tabs(
  developer.title,
  [
    { href: DEVELOPER, label: developer.overview },
    { href: TOKENS, label: developer.tokens },
    { href: APPS, label: developer.apps },
    { href: WEBHOOKS, label: developer.webhooks },
  ],
  current,
)}${body}`,
})
