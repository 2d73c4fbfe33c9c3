import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Glob } from 'bun'
import { variableNames } from '@/config/config'
import { EVENT_TYPES, EVENTS } from '@/core/domain-events'
import { ERRORS } from '@/core/errors'

const root = join(import.meta.dir, '../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')

/** Rows of a Markdown table whose first cell is code. */
const rowsOf = (text: string) =>
  [...text.matchAll(/^\| `([^`]+)` *\|(.*)\|$/gm)].map((match) => [
    match[1] as string,
    ...(match[2] as string).split('|').map((cell) => cell.trim()),
  ])

test('docs/errors.md lists exactly the errors that exist', () => {
  const listed = rowsOf(read('docs/errors.md')).map(([code, status]) => `${code} ${status}`)
  expect(listed).toEqual(Object.entries(ERRORS).map(([code, { status }]) => `${code} ${status}`))
})

test('docs/events.md lists exactly the events that exist, with the scope that each needs and its object', () => {
  const listed = rowsOf(read('docs/events.md')).map(([type, scope, object]) => [type, scope, object])
  const code = (name: string) => `\`${name}\``
  expect(listed).toEqual(
    EVENT_TYPES.map((type) => [type, code(EVENTS[type].scope), EVENTS[type].object.map(code).join(', ')]),
  )
})

test('.env.example names exactly the variables that are read', () => {
  const named = [...read('.env.example').matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map(
    (match) => match[1] as string,
  )
  // The password of the composed database and the addresses of its network are read by compose.yaml, not by us.
  expect(named.filter((name) => !['POSTGRES_PASSWORD', 'SUBNET'].includes(name)).sort()).toEqual(
    variableNames(),
  )
})

test('the README names only scripts that exist', () => {
  const { scripts } = JSON.parse(read('package.json'))
  const named = [...(read('README.md') + read('CONTRIBUTING.md')).matchAll(/bun run ([a-z:]+)/g)].map(
    (match) => match[1] as string,
  )
  expect(named.length).toBeGreaterThan(3)
  expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([])
})

test('docs/alerts.md explains exactly the alerts that exist', () => {
  const alerts = [...read('deploy/alerts.yaml').matchAll(/- alert: (\w+)/g)].map(
    (match) => match[1] as string,
  )
  const page = read('docs/alerts.md')
  const said = [...page.matchAll(/^### (\w+)$/gm)].map((match) => match[1] as string)
  expect(alerts.length).toBeGreaterThan(10)
  expect(said.sort()).toEqual([...alerts].sort())
  for (const alert of alerts)
    expect(read('deploy/alerts.yaml')).toContain(`{{ $externalLabels.runbooks }}#${alert.toLowerCase()}"\n`)
  for (const config of ['deploy/prometheus.yaml', 'deploy/prometheus-compose.yaml'])
    expect(read(config)).toMatch(/^ {4}runbooks: \S+docs\/alerts\.md$/m)
  // Each begins with how urgent it is, as the rule says.
  for (const [, alert, severity] of read('deploy/alerts.yaml').matchAll(
    /- alert: (\w+)\n[\s\S]*?severity: (\w+)/g,
  ))
    expect(page).toContain(`### ${alert}\n\n_${severity === 'critical' ? 'Critical' : 'Warning'}._`)
})

test('links between docs lead to existing pages and headings', () => {
  const pages = ['docs/**/*.md', '*.md'].flatMap((pattern) => [...new Glob(pattern).scanSync(root)])
  expect(pages).toContain('docs/operations/start.md')
  const slug = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
  const headings = (page: string) =>
    [...read(page).matchAll(/^#{1,6} (.+)$/gm)].map((match) => slug(match[1] as string))
  const lost = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\(([\w./-]*\.md)?(?:#([^)\s]+))?\)/g)]
      .filter(([, other, anchor]) => {
        const target = other === undefined ? page : join(dirname(page), other)
        return !pages.includes(target) || (anchor !== undefined && !headings(target).includes(anchor))
      })
      .map(([link]) => `${page}: ${link}`),
  )
  expect(lost).toEqual([])
})
