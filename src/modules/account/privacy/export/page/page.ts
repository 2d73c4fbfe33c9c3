import { config } from '@/config/config'
import { type Html, html } from '@/web/html'
import { LOCALES } from '@/words/language'
import type { Words } from '@/words/words'
import type { Row } from '../rows/queries'
import { STYLE } from './style'

/** Rows of a table that the page shows; all of them are in its file. */
export const PAGE_ROWS = 100

export type Section = { table: string; rows: Row[]; count: number }

type Told = {
  person: { name: string; timeZone: string | null }
  sections: Section[]
  /** Files that the storage has lost. */
  missing: string[]
  isWhole: boolean
  words: Words
  at: Date
}

/** The page of an export: a document of its own that needs nothing from anywhere, and shows data only as text. */
export function writePage({ person, sections, missing, isWhole, words, at }: Told): string {
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
    /** Only the path of a file of ours becomes a link. */
    value: (value: unknown, field: string): Html =>
      field === 'path' && typeof value === 'string'
        ? html`<a href="${value.split('/').map(encodeURIComponent).join('/')}">${value}</a>`
        : html`<bdi>${text(value)}</bdi>`,
  }
}

/** A zone that is not known any more is that of the server's times. */
function momentsIn(locale: string, zone: string | null): Intl.DateTimeFormat {
  const options = { dateStyle: 'medium', timeStyle: 'long' } as const
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: zone ?? 'UTC' })
  } catch {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  }
}
