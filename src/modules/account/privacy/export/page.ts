import { config } from '@/config/config'
import { Html, html } from '@/web/html'
import { LOCALES } from '@/words/language'
import type { Words } from '@/words/words'
import type { Row } from './rows-queries'

/** Rows per table on the page; its file has all. */
export const PAGE_ROWS = 100

export type Section = { table: string; rows: Row[]; count: number }

type PageInput = {
  person: { name: string; timeZone: string | null }
  sections: Section[]
  /** Files missing in the storage. */
  missing: string[]
  isWhole: boolean
  words: Words
  at: Date
}

/** The page of an export: self-contained, and all data is escaped text. */
export function writePage({ person, sections, missing, isWhole, words, at }: PageInput): string {
  const { privacy } = words
  const say = formatter(words, person.timeZone)
  const [full, empty] = [
    sections.filter(({ count }) => count > 0),
    sections.filter(({ count }) => count === 0),
  ]
  return html`<!doctype html>
<html lang="${words.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src 'self' file:">
<meta name="robots" content="noindex">
<title>${privacy.pageTitle(config.siteName)}</title>
${STYLE}
</head>
<body>
<header>
<h1>${privacy.pageTitle(config.siteName)}</h1>
<p>${privacy.pageText(person.name, say.moment(at))}</p>
<p class="quiet">${privacy.pageFiles}</p>
${!isWhole && html`<p class="quiet">${privacy.pageForApp}</p>`}
${missing.length > 0 && html`<p>${privacy.pageMissing}</p><ul>${missing.map((name) => html`<li>${name}</li>`)}</ul>`}
</header>
<main>
<nav aria-label="${privacy.contents}"><ul>${full.map(({ table, count }) => html`<li><a href="#${table}">${titleOf(words, table)}</a> <span class="quiet">${say.number(count)}</span></li>`)}</ul></nav>
${full.map((section) => sectionOf(section, words, say))}
${empty.length > 0 && html`<section><h2>${privacy.nothing}</h2><p class="quiet">${empty.map(({ table }) => titleOf(words, table)).join(' · ')}</p></section>`}
</main>
</body>
</html>
`.text
}

const titleOf = ({ privacy }: Words, table: string) => privacy.tables[table]?.title ?? table

type Formatter = ReturnType<typeof formatter>

function sectionOf({ table, rows, count }: Section, words: Words, say: Formatter): Html {
  const { privacy } = words
  const fields = Object.keys(rows[0] ?? {})
  const file = `data/${table}.json`
  return html`<section id="${table}">
<h2>${titleOf(words, table)}</h2>
<p class="quiet">${privacy.tables[table]?.text} <a href="${file}">${file}</a></p>
${
  count === 1
    ? html`<dl>${fields.map((field) => html`<div><dt>${privacy.field(field)}</dt><dd>${say.value(rows[0]?.[field], field)}</dd></div>`)}</dl>`
    : html`<div class="wide" tabindex="0" role="region" aria-label="${titleOf(words, table)}"><table><thead><tr>${fields.map((field) => html`<th scope="col">${privacy.field(field)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${fields.map((field) => html`<td>${say.value(row[field], field)}</td>`)}</tr>\n`)}</tbody></table></div>`
}
${count > rows.length && html`<p class="quiet">${privacy.more(say.number(rows.length), say.number(count))}</p>`}
</section>
`
}

function formatter(words: Words, zone: string | null) {
  const locale = LOCALES[words.language]
  const moments = momentsIn(locale, zone)
  const numbers = new Intl.NumberFormat(locale)
  const { privacy } = words
  const text = (value: unknown): string => {
    if (value === null || value === undefined || value === '') return '–'
    if (value instanceof Date) return moments.format(value)
    if (typeof value === 'boolean') return value ? privacy.yes : privacy.no
    if (typeof value === 'number') return numbers.format(value)
    if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(text).join(', ')
    if (typeof value === 'object') return person(value as Row) ?? JSON.stringify(value)
    return String(value)
  }
  const person = (row: Row) =>
    row.you === true
      ? privacy.you
      : typeof row.name === 'string'
        ? row.name + (row.username ? ` (@${row.username})` : '')
        : undefined
  return {
    moment: (at: Date) => moments.format(at),
    number: (count: number) => numbers.format(count),
    /** Links only paths of our own files. */
    value: (value: unknown, field: string): Html =>
      field === 'path' && typeof value === 'string'
        ? html`<a href="${value.split('/').map(encodeURIComponent).join('/')}">${value}</a>`
        : html`<bdi>${text(value)}</bdi>`,
  }
}

/** Falls back to UTC for an unknown zone. */
function momentsIn(locale: string, zone: string | null): Intl.DateTimeFormat {
  const options = { dateStyle: 'medium', timeStyle: 'long' } as const
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: zone ?? 'UTC' })
  } catch {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  }
}

/** The site's styles, as far as a self-contained document needs them. */
const STYLE = new Html(`<style>
:root { color-scheme: light dark; --paper: #f7f4ed; --card: #fff; --ink: #1d2420; --quiet: #5a635d; --line: #ddd8cc; --accent: #1f6b4a }
@media (prefers-color-scheme: dark) { :root { --paper: #14181a; --card: #1d2326; --ink: #eceae4; --quiet: #a3aba6; --line: #343c40; --accent: #7fd0a8 } }
* { box-sizing: border-box }
body { margin: 0; padding: 1.5rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
header, main { max-width: 70rem; margin: 0 auto }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .5rem }
h2 { font-size: 1.25rem; margin: 0 }
p { margin: .25rem 0 }
a { color: var(--accent) }
.quiet { color: var(--quiet) }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem }
section { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1rem 1.25rem; margin: 1rem 0 }
dl { margin: .75rem 0 0 }
dl div { display: grid; grid-template-columns: minmax(8rem, 14rem) 1fr; gap: 1rem; padding: .3rem 0; border-top: 1px solid var(--line) }
dt { color: var(--quiet) }
dd { margin: 0; overflow-wrap: anywhere }
.wide { overflow-x: auto; margin-top: .75rem }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums }
th, td { text-align: start; vertical-align: top; padding: .35rem .75rem .35rem 0; border-top: 1px solid var(--line); max-width: 22rem; overflow-wrap: anywhere }
th { color: var(--quiet); font-weight: 500; white-space: nowrap }
@media (max-width: 40rem) { body { padding: 1rem } dl div { grid-template-columns: 1fr; gap: 0 } }
@media print { section { break-inside: avoid; border: 0 } }
</style>`)
