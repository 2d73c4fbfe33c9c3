import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { Glob } from 'bun'

const root = join(import.meta.dir, '../..')
const files = [...new Glob('{src,workers}/**/*.{ts,tsx}').scanSync(root)].sort()

/** Floors of the house; arrows point down. */
const FLOORS: [RegExp, number][] = [
  [/^(package\.json|docs\/[\w-]+\.md)$/, 0],
  [/^src\/(config|lifecycle)\//, 0],
  [/^src\/(core|words)\//, 1],
  [/^src\/(db|outbox)\//, 2],
  [/^src\/auth\//, 3],
  [/^src\/(http|web|mcp|delivery|jobs|outbound|mail|backup)\//, 4],
  [/^src\/modules\//, 5],
  [/^(src\/[a-z-]+\.tsx?|src\/(demo|cli|site|processes)\/.*|workers\/.*)$/, 6],
]

/** Neighbourhoods of areas; arrows between them point down this list. */
const NEIGHBOURHOODS = [
  'administration',
  'account',
  'gatherings',
  'recognition',
  'passes',
  'community',
  'access',
  'developers',
  'people',
]

const neighbourhoodOf = (file: string) => /^src\/modules\/([^/]+)\//.exec(file)?.[1]
const areaOf = (file: string) => /^src\/modules\/([^/]+\/[^/]+)\//.exec(file)?.[1]
/** An area, or a room of the plumbing. */
const roomOf = (file: string) => areaOf(file) ?? file.split('/').slice(0, 2).join('/')

const floorOf = (file: string) => FLOORS.find(([pattern]) => pattern.test(file))?.[1]

type Import = { from: string; to: string; external: boolean }

const imports: Import[] = files.flatMap((file) => {
  const source = readFileSync(join(root, file), 'utf8')
  const found = [...source.matchAll(/(?:from|import\(?)\s*'([^']+)'/g)].map((match) => match[1] as string)
  return found.map((name) => {
    if (name.startsWith('@/')) return { from: file, to: onDisk(`src/${name.slice(2)}`), external: false }
    if (name.startsWith('.'))
      return { from: file, to: onDisk(relative(root, resolve(root, file, '..', name))), external: false }
    return { from: file, to: name, external: true }
  })
})

function onDisk(path: string) {
  return files.find((file) => file.replace(/\.tsx?$/, '') === path) ?? path
}

const breaking = (rule: (one: Import) => boolean) =>
  imports.filter(rule).map(({ from, to }) => `${from} → ${to}`)

/** Circles of arrows, each as the way around it. */
function circles(arrows: { from: string; to: string }[]): string[] {
  const next = Map.groupBy(arrows, ({ from }) => from)
  const done = new Set<string>()
  const way: string[] = []
  const found: string[] = []
  const walk = (place: string) => {
    if (way.includes(place)) return void found.push([...way.slice(way.indexOf(place)), place].join(' → '))
    if (done.has(place)) return
    way.push(place)
    for (const { to } of next.get(place) ?? []) walk(to)
    way.pop()
    done.add(place)
  }
  for (const place of next.keys()) walk(place)
  return found
}

/** Type-only imports count, too: whoever reads one file has to read the other. */
const inside = imports.filter(({ to, external }) => !external && files.includes(to))

const between = (place: (file: string) => string | undefined) =>
  inside.flatMap((one) => {
    const [from, to] = [place(one.from), place(one.to)]
    return from && to && from !== to ? [{ from, to }] : []
  })

describe('the architecture', () => {
  test('assigns a layer to every file', () => {
    expect(files.filter((file) => floorOf(file) === undefined)).toEqual([])
    expect(imports.length).toBeGreaterThan(100)
  })

  test('imports every file that is no entry point', () => {
    const imported = new Set(inside.map(({ to }) => to))
    expect(files.filter((file) => !imported.has(file))).toEqual([
      'src/api-process.ts',
      'src/folkmoot.ts',
      'src/lifecycle/make-bundle.ts',
      'src/modules/gatherings/pass-sheets/render/child.ts',
      'src/modules/people/uploads/content/child/main.ts',
      'src/server.ts',
      'src/site/previews/child/main.ts',
      'src/web/text-files.d.ts',
      'workers/main.ts',
    ])
  })

  test('has imports that point down only', () => {
    expect(
      breaking(({ from, to, external }) => !external && (floorOf(to) ?? 99) > (floorOf(from) as number)),
    ).toEqual([])
  })

  test('has no import cycles between files, areas or folders', () => {
    expect(circles(inside)).toEqual([])
    expect(circles(between(areaOf))).toEqual([])
    expect(circles(between(roomOf))).toEqual([])
  })

  test('detects an import cycle', () => {
    const arrows = ['a b', 'b c', 'c d', 'd b'].map((arrow) => arrow.split(' ') as [string, string])
    expect(circles(arrows.map(([from, to]) => ({ from, to })))).toEqual(['b → c → d → b'])
  })

  test('has neighbourhoods whose imports point down', () => {
    const place = (file: string) => NEIGHBOURHOODS.indexOf(neighbourhoodOf(file) as string)
    const inModules = files.filter((file) => file.startsWith('src/modules/'))
    expect(inModules.filter((file) => place(file) < 0 || areaOf(file) === undefined)).toEqual([])
    expect(breaking(({ from, to }) => place(from) >= 0 && place(to) >= 0 && place(to) < place(from))).toEqual(
      [],
    )
  })

  test('has infrastructure that names no path of an area', async () => {
    const { routes } = await import('../support/routes')
    const roots = [...new Set(routes.map(({ pattern }) => pattern.split('/')[1] as string))]
    // Each of these is the plumbing's own: agents' door, signed addresses, documents and probes.
    const own = ['', 'mcp', 'downloads', 'docs', 'openapi.json', 'assets', 'healthz', 'readyz', '.well-known']
    const areas = roots.filter((root) => !own.includes(root))
    expect(areas).toContain('v1')
    const named = new RegExp(`['"\`]/(${areas.join('|')})(?![\\w-])`)
    // Columns store files of ours by their path. Pages send people to sign in, and never back into the middle of it.
    const known = ['src/core/own-addresses.ts', 'src/web/login.ts', 'src/web/redirect.ts']
    expect(
      files.filter(
        (file) =>
          (floorOf(file) as number) < 5 &&
          named.test(readFileSync(join(root, file), 'utf8').replace(/^\s*(\*|\/\/|\/\*).*$/gm, '')),
      ),
    ).toEqual(known)
  })

  test('uses elysia in bindings only', () => {
    const doors = /^src\/(http|web|mcp)\/|^src\/(app|areas)\.ts$|\/(routes|area)\.ts$|\/pages\.tsx$/
    expect(
      breaking(({ from, to, external }) => external && /^(elysia|@elysiajs)/.test(to) && !doors.test(from)),
    ).toEqual([])
  })

  test('has SQL only in db/, outbox/ and queries.ts', () => {
    const rooms = /^src\/(db|outbox)\/|[/-]queries\.ts$|^src\/http\/health\.ts$/
    expect(
      breaking(
        ({ from, to, external }) =>
          external && /^(drizzle-orm|postgres|pg)($|\/)/.test(to) && !rooms.test(from),
      ),
    ).toEqual([])
  })

  test('decodes pictures only in a separate process', () => {
    const child = /^src\/(modules\/people\/uploads\/content|site\/previews)\/child\//
    expect(breaking(({ from, to }) => !child.test(from) && (child.test(to) || to === 'sharp'))).toEqual([])
    expect(breaking(({ from, to }) => child.test(from) && to === 'sharp')).not.toEqual([])
  })

  test('compares with constants in the statement text', () => {
    const compared = /\b(eq|ne)\([\w.]+, ('|true|false)/
    expect(files.filter((file) => compared.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
  })

  test('has areas that use each other only through schema, queries and rule files', () => {
    const doors = /[/-](actions|area|routes|tools|listeners|jobs|sweeps|pages)\.tsx?$/
    expect(
      breaking(
        ({ from, to }) => !!areaOf(from) && !!areaOf(to) && areaOf(from) !== areaOf(to) && doors.test(to),
      ),
    ).toEqual([])
  })

  test('reads the environment in config/ only', () => {
    const readers = files.filter((file) =>
      /process\.env|Bun\.env/.test(readFileSync(join(root, file), 'utf8')),
    )
    // PostgreSQL's child processes need PATH, the runtime has options of its own, systemd tells where its journal is, and the bridge for
    // agents has no server's settings.
    expect(readers).toEqual([
      'src/config/config.ts',
      'src/config/journal.ts',
      'src/db/embedded-postgres/command.ts',
      'src/folkmoot.ts',
      'src/lifecycle/runtime.ts',
    ])
  })

  test('has a maximum for every input string', async () => {
    const { apiRoutes } = await import('../support/routes')
    const unbounded: string[] = []
    const visit = (schema: TSchema, path: string) => {
      if (schema.type === 'string' && schema.maxLength === undefined && schema.const === undefined)
        unbounded.push(path)
      if (schema.type === 'array' && schema.maxItems === undefined) unbounded.push(path)
      for (const [name, property] of Object.entries(schema.properties ?? {}))
        visit(property as TSchema, `${path}.${name}`)
      for (const member of [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])])
        visit(member, path)
    }
    for (const { binding } of apiRoutes) if (binding) visit(binding.action.input, binding.action.name)
    expect(unbounded).toEqual([])
  })
})
