import { config } from '@/config/config'
import { respond } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { stylesheetPath } from './assets'
import { type Html, html } from './html'

export type Page = {
  title: string
  body: Html
  width?: 'narrow' | 'wide'
  /** 200 unless something else is said. */
  status?: number
  /** What this page sends beside the headers of every page, or instead of them. */
  headers?: Readonly<Record<string, string>>
}

/** The sun. */
export const MARK = html`<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"><circle cx="12" cy="12" r="3"/><path d="M12 2v3M12 19v3M2 12h3M19 12h3M4.9 4.9 7 7M17 17l2.1 2.1M4.9 19.1 7 17M17 7l2.1-2.1"/></svg>`

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%231f6f54' stroke-width='2' stroke-linecap='round'%3E%3Ccircle cx='12' cy='12' r='3'/%3E%3Cpath d='M12 2v3M12 19v3M2 12h3M19 12h3M4.9 4.9 7 7M17 17l2.1 2.1M4.9 19.1 7 17M17 7l2.1-2.1'/%3E%3C/svg%3E"

/** The frame of every page. It works without script and asks no other host for anything. */
const document = ({ title, body, width = 'narrow' }: Page) =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title} · Folkmoot</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${stylesheetPath}">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="bar"><a class="brand" href="/">${MARK}Folkmoot</a></header>
<main id="content" class="${width}">
${body}
</main>
<footer class="foot">${new URL(config.baseUrl).host}</footer>
</body>
</html>
`

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': policy("'self'"),
}

/** `formTargets` is where a form may lead in the end: browsers hold redirects after it to the same rule. */
export function policy(formTargets: string): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    `form-action ${formTargets}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Whoever binds a page by `page` or `form` has no need of it. */
export const respondPage = (visit: Visit, page: Page): Response =>
  respond(visit, page.status ?? 200, document(page).text, PAGE_HEADERS, page.headers)
