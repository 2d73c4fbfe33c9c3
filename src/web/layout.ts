import { config } from '@/config/config'
import { mayNavigate } from '@/http/accept'
import { respondOnce } from '@/http/encodings'
import { pathOf, queryOf, type Visit } from '@/http/visit'
import { type Words, wordsIn } from '@/words/words'
import { type AssetName, assetPath, logoPath, stylesheetPath } from './assets'
import { type Html, html } from './html'
import { languageOf } from './language'
import { timeIn } from './own-time'
import { ownPath } from './redirect'
import { filled, type Slots, slot, splitAtSlots } from './slots'
import { around, type Section } from './surroundings'

export type Page = {
  title: string
  body: Html
  width?: 'narrow' | 'wide'
  /** Default 200. */
  status?: number
  /** Headers in addition to those of every page, or replacing them. */
  headers?: Readonly<Record<string, string>>
  /** More elements of the head: feeds, previews, structured data. */
  head?: Html | Html[]
  /** A theme of `themes.css`, the accent of the page. */
  theme?: string
  section?: Section
  /** Scripts for progressive enhancement. */
  islands?: readonly AssetName[]
  /** For search engines and previews. */
  description?: string
  /** The canonical address. A page without one is not indexed. */
  canonical?: string
}

export const MARK = html`<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"><circle cx="12" cy="12" r="3"/><path d="M12 2v3M12 19v3M2 12h3M19 12h3M4.9 4.9 7 7M17 17l2.1 2.1M4.9 19.1 7 17M17 7l2.1-2.1"/></svg>`

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%231f6f54' stroke-width='2' stroke-linecap='round'%3E%3Ccircle cx='12' cy='12' r='3'/%3E%3Cpath d='M12 2v3M12 19v3M2 12h3M19 12h3M4.9 4.9 7 7M17 17l2.1 2.1M4.9 19.1 7 17M17 7l2.1-2.1'/%3E%3C/svg%3E"

/** The logo beside the community's name. */
const BRAND =
  logoPath === undefined ? MARK : html`<img src="${logoPath}" alt="" width="32" height="32" decoding="async">`

/**
 * The frame of every page. Works without script and loads nothing from other hosts. `path` is where a change of language returns
 * to.
 */
export function documentOf(page: Page, words: Words, path: string | undefined): string {
  const { title, body, width = 'narrow', head, theme, section, islands = [], description, canonical } = page
  const { head: always, navigation, stranger, foot } = around()
  return html`<!doctype html>
<html lang="${words.language}"${theme && html` class="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title === config.siteName ? title : `${title} · ${config.siteName}`}</title>
${description && html`<meta name="description" content="${description}">\n`}${
  canonical === undefined
    ? html`<meta name="robots" content="noindex">`
    : html`<link rel="canonical" href="${config.baseUrl}${canonical}">`
}
<link rel="icon" href="${logoPath ?? ICON}">
<link rel="stylesheet" href="${stylesheetPath}">
${always()}${islands.map((name) => html`<script type="module" src="${assetPath(name)}"></script>\n`)}${head}</head>
<body>
<a class="skip" href="#content">${words.frame.skip}</a>
<header class="bar"><a class="brand" href="/">${BRAND}<span dir="auto">${config.siteName}</span></a>
${navigation(words, section)}
${slot('account', stranger(words))}
</header>
<main id="content" class="${width}">
${body}
</main>
<footer class="foot">${foot(words, path)}</footer>
</body>
</html>
`.text
}

const [PLAIN_POLICY, SCRIPT_POLICY] = [policy("'self'"), policy("'self'", true)]

export const POLICIES = { plain: PLAIN_POLICY, script: SCRIPT_POLICY }

const pageHeaders = (contentPolicy: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': contentPolicy,
})

const PAGE_HEADERS = pageHeaders(PLAIN_POLICY)
const ISLAND_HEADERS = pageHeaders(SCRIPT_POLICY)

/**
 * `formTargets` are the allowed targets of forms: browsers apply the policy to redirects as well. Scripts are our own files only:
 * a nonce would change the bytes for each reader and allow more.
 */
export function policy(formTargets: string, scripts = false): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    "manifest-src 'self'",
    ...(scripts ? ["script-src 'self'", "connect-src 'self'"] : []),
    `form-action ${formTargets}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** For pages not bound by `page` or `form`. */
export function respondPage(visit: Visit, page: Page): Response {
  const words = wordsIn(languageOf(visit.request))
  const status = page.status ?? 200
  // An address may hold a secret, so an error page does not repeat it.
  const document = splitAtSlots(documentOf(page, words, status === 200 ? languageReturnPath(visit) : '/'))
  const kind = page.islands?.length ? ISLAND_HEADERS : PAGE_HEADERS
  return respondOnce(visit, status, filled(document, corner(visit, words)), kind, page.headers)
}

/**
 * Where a change of language returns to: this page with its query. None if it cannot be requested again: a sign-in link must not
 * be followed by a redirect, and its secret appears nowhere else.
 */
function languageReturnPath(visit: Visit): string | undefined {
  const here = mayNavigate(visit.request) ? addressOf(visit) : pathOf(visit.request.url)
  const back = ownPath(here)
  return back === '/' && here !== '/' ? undefined : back
}

/** The personal slots of every page. */
export function corner(visit: Visit, words: Words): Slots | undefined {
  if (typeof visit.visitor !== 'object' || visit.visitor.credential.kind !== 'session') return undefined
  const zone = around().zone(visit)
  return { account: around().account(visit, words), ...(zone !== null && { time: timeIn(zone, words) }) }
}

export function addressOf({ request: { url } }: Visit): string {
  const query = queryOf(url)
  return query === '' ? pathOf(url) : `${pathOf(url)}?${query}`
}
