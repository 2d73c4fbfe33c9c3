import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { html } from '@/web/html'

const root = join(import.meta.dir, '../..')
const HOLE = '\u0000'
const OPENS = ['$', '{'].join('')
const VOID = new Set(['meta', 'link', 'input', 'br', 'img', 'hr'])

/** The templates of a source, each with its holes marked; those inside a hole are templates of their own. */
function templatesOf(source: string): string[] {
  const found: string[] = []
  const read = (from: number): number => {
    let [text, at] = ['', from]
    while (source[at] !== '`') {
      const length = source[at] === '\\' ? 2 : 1
      const isHole = source.startsWith(OPENS, at)
      text += isHole ? HOLE : source.slice(at, at + length)
      at = isHole ? skipHole(at + 2) : at + length
    }
    found.push(text)
    return at + 1
  }
  const skipString = (from: number): number => {
    let at = from
    while (source[at] !== '`')
      at = source[at] === '\\' ? at + 2 : source.startsWith(OPENS, at) ? skipHole(at + 2) : at + 1
    return at + 1
  }
  const skipHole = (from: number): number => {
    let [at, depth] = [from, 1]
    while (depth > 0) {
      if (source.startsWith('html`', at)) at = read(at + 5)
      else if (source[at] === '`') at = skipString(at + 1)
      else {
        if (source[at] === '{') depth += 1
        if (source[at] === '}') depth -= 1
        at += 1
      }
    }
    return at
  }
  for (let at = source.indexOf('html`'); at !== -1; at = source.indexOf('html`', at)) at = read(at + 5)
  return found
}

const HARMLESS = new Set(['<script type="module" src="\u0000">', '<script type="application/ld+json">'])

/** What is wrong with a template: a hole in a tag that is not in quotes, or in a place where escaping is not enough. */
function faultsOf(template: string): string[] {
  const faults: string[] = []
  for (const [tag] of template.matchAll(/<[a-z][^<>]*>?/g)) {
    const bare = tag.replaceAll(/"[^"]*"/g, '""')
    if (/=\s*(\u0000|[^"\s])/.test(bare)) faults.push(`not in quotes: ${tag}`)
    if (/\s(on\w+|style|srcdoc)\s*=\s*"[^"]*\u0000/.test(tag)) faults.push(`a hole in a program: ${tag}`)
    // A file of ours by its name, and facts that no browser runs, are no text of a program.
    if (/^<(script|style)\b/.test(tag) && !HARMLESS.has(tag)) faults.push(`a program: ${tag}`)
  }
  const open: string[] = []
  for (const [, end, name = ''] of template
    .replaceAll(/"[^"]*"/g, '""')
    .matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^<>]*?(?<!\/)>/g)) {
    if (VOID.has(name)) continue
    if (!end) open.push(name)
    else if (open.pop() !== name) faults.push(`closes what is not open: ${name}`)
  }
  return [...faults, ...open.map((name) => `not closed: ${name}`)]
}

/** Letters have their styles at their elements. Their holes are colours of ours and nothing else. */
const LETTERS = 'src/mail/layout.ts'
const withColours = (source: string) =>
  source.replace(/<style>\$\{NIGHT\}<\/style>/, '').replaceAll(/\$\{(?:DAY\.\w+|FONT)\}/g, '#000000')

test('every template quotes the holes of its attributes and closes its elements', () => {
  const wrong: string[] = []
  let count = 0
  for (const file of new Glob('src/**/*.ts').scanSync(root)) {
    const source = readFileSync(join(root, file), 'utf8')
    if (!/from '(@\/web|\.)\/html'/.test(source)) continue
    for (const template of templatesOf(file === LETTERS ? withColours(source) : source)) {
      count += 1
      for (const fault of faultsOf(template)) wrong.push(`${file}: ${fault.replaceAll(HOLE, '…')}`)
    }
  }
  expect(wrong).toEqual([])
  expect(count).toBeGreaterThan(40)
})

test('finds what is wrong where there is something', () => {
  const found = (source: string) => templatesOf(source.replaceAll('#', '$')).flatMap(faultsOf)
  expect(found('html`<a href=#{x}>y</a>`')).toHaveLength(1)
  expect(found('html`<a onclick="go(#{x})">y</a>`')).toHaveLength(1)
  expect(found('html`<ul>#{list.map((x) => html`<li title=#{x}>`)}</ul>`')).toHaveLength(2)
  expect(found('html`<p>#{`a #{b}`}</div>`')).toHaveLength(1)
  expect(found('html`<p title="#{x}"#{y && html` hidden`}>#{`{`}</p>`')).toEqual([])
})

test('a hole shows text, numbers, lists and templates, and nothing for what is not there', () => {
  expect(html`${'<'}${0}${[1, '&', html`<b>${null}</b>`]}${undefined}${false}`.text).toBe(
    '&lt;01&amp;<b></b>',
  )
})
