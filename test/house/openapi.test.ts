import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import Ajv2020 from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import { EVENT_TYPES } from '@/core/domain-events'
import { isScope } from '@/core/scopes'
import { get } from '../support/api'
import { apiRoutes } from '../support/routes'

const root = join(import.meta.dir, '../..')
const committed = join(root, 'docs/openapi.json')

describe('the OpenAPI document', () => {
  test('equals the committed one, so that API changes show in review', async () => {
    const { servers: _, ...served } = (await get('/openapi.json')).body
    const { servers: __, ...kept } = await Bun.file(committed).json()
    // On a difference: `bun run generate` rewrites the file.
    expect(served).toEqual(kept)
  })

  test('lists every route with its scope, its statuses and its rate-limit headers', async () => {
    const { paths, components } = (await get('/openapi.json')).body
    for (const { method, pattern, binding } of apiRoutes) {
      const operation =
        paths[pattern.replace(/:(\w+)/g, '{$1}').replace('*', `{${binding?.rest}}`)]?.[method.toLowerCase()]
      expect([pattern, operation?.operationId]).toEqual([pattern, binding?.action.name as string])
      expect(operation.summary.length).toBeGreaterThan(5)
      expect(operation.tags).toHaveLength(1)
      const statuses = Object.keys(operation.responses)
      expect(statuses).toContain(String(binding?.status))
      for (const status of ['400', '429', '500', '503']) expect(statuses).toContain(status)
      if (isScope(binding?.action.access ?? '')) {
        expect(statuses).toEqual(expect.arrayContaining(['401', '403']))
        expect(operation.security.flatMap((one: object) => Object.values(one)).flat()).toContain(
          binding?.action.access,
        )
      }
      for (const name of ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'])
        expect(Object.keys(operation.responses[String(binding?.status)].headers)).toContain(name)
    }
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining(['UserBasic', 'Token', 'TokenCreated', 'Scope', 'Pagination']),
    )
  })

  test('describes every property and parameter', async () => {
    const { body } = await get('/openapi.json')
    const { fields, silent } = fieldsIn(body)
    // The words are those of the schema, or of `core/field-words.ts` where a name means the same everywhere.
    expect(silent).toEqual([])
    expect(fields).toBeGreaterThan(1500)
  })

  test('marks offset as deprecated', async () => {
    const { paths } = (await get('/openapi.json')).body
    const offset = paths['/v1/profile/tokens'].get.parameters.find(
      ({ name }: { name: string }) => name === 'offset',
    )
    expect(offset.deprecated).toBe(true)
  })
})

/** Every property and parameter of a document, and those that it does not describe. */
function fieldsIn(document: object): { fields: number; silent: string[] } {
  const silent: string[] = []
  let fields = 0
  const look = (path: string, { description, $ref }: { description?: string; $ref?: string }) => {
    fields += 1
    if ($ref?.startsWith('#/components/parameters/')) return
    // A default alone does not say what the field is.
    if (!description || /^\S+ when left out\.$/.test(description)) silent.push(path)
  }
  const walk = (path: string, node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    const { properties, parameters, type } = node as {
      properties?: object
      parameters?: unknown
      type?: unknown
    }
    if ([type].flat().includes('object'))
      for (const [name, property] of Object.entries(properties ?? {})) look(`${path}.${name}`, property)
    if (Array.isArray(parameters)) for (const one of parameters) look(`${path} ${one.in}.${one.name}`, one)
    for (const [key, inner] of Object.entries(node))
      if (!/^examples?$/.test(key)) walk(`${path}/${key}`, inner)
  }
  walk('', document)
  return { fields, silent }
}

describe('the documentation pages', () => {
  test('load nothing from other hosts', async () => {
    const { status, text, headers } = await get('/docs')
    expect(status).toBe(200)
    expect(headers.get('content-security-policy')).toStartWith("default-src 'none'")
    const addresses = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] as string)
    expect(addresses.length).toBeGreaterThan(4)
    for (const address of addresses) {
      expect(address).toStartWith('/')
      expect([address, (await get(address)).status]).toEqual([address, 200])
    }
    expect((await get('/docs/..%2f..%2fpackage.json')).status).toBe(404)
  })
})

// biome-ignore lint/suspicious/noExplicitAny: a description has whatever its format allows.
type Any = any

type Example = { where: string; schema: object; value: unknown }

/** Every example of a description, with the schema that it is an example of. */
function examplesIn({ paths, webhooks, components }: Any): Example[] {
  const found: Example[] = []
  const inContent = (where: string, content: Any = {}) => {
    for (const { schema, example, examples = {} } of Object.values<Any>(content)) {
      if (example !== undefined) found.push({ where, schema, value: example })
      for (const { value } of Object.values<Any>(examples)) found.push({ where, schema, value })
    }
  }
  for (const [path, item] of [...Object.entries<Any>(paths), ...Object.entries<Any>(webhooks)])
    for (const [method, { parameters = [], requestBody, responses }] of Object.entries<Any>(item)) {
      const where = `${method} ${path}`
      for (const { name, schema, example } of parameters)
        if (schema) found.push({ where: `${where} ${name}`, schema, value: example })
      inContent(`${where} body`, requestBody?.content)
      for (const [status, { content }] of Object.entries<Any>(responses))
        inContent(`${where} ${status}`, content)
    }
  for (const [name, { content }] of Object.entries<Any>(components.responses)) inContent(name, content)
  return found
}

describe('examples', () => {
  test('are valid by their schemas, and every parameter has one', async () => {
    const api = (await get('/openapi.json')).body
    const examples = examplesIn(api)
    expect(examples.length).toBeGreaterThan(500)
    expect(examples.filter(({ value }) => value === undefined)).toEqual([])
    // One schema for all of them, compiled without polish: each alone would take minutes.
    const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } })
    addFormats(ajv)
    const properties = Object.fromEntries(examples.map(({ schema }, at) => [at, schema]))
    const validate = ajv.compile({ type: 'object', properties, components: api.components })
    validate(Object.fromEntries(examples.map(({ value }, at) => [at, value])))
    const wrong = (validate.errors ?? []).map(({ instancePath, message }) => {
      const [, at, ...rest] = instancePath.split('/')
      return `${examples[Number(at)]?.where} ${rest.join('.')} ${message}`
    })
    expect(wrong).toEqual([])
  })

  test('exist for every body and every JSON response', async () => {
    const { paths } = (await get('/openapi.json')).body
    const without = Object.entries<Any>(paths).flatMap(([path, item]) =>
      Object.entries<Any>(item).flatMap(([method, { requestBody, responses }]) =>
        [requestBody, ...Object.values<Any>(responses)]
          .flatMap((part) => Object.entries<Any>(part?.content ?? {}))
          .filter(([type, { example, examples }]) => /json/.test(type) && !example && !examples)
          .map(([type]) => `${method} ${path} ${type}`),
      ),
    )
    expect(without).toEqual([])
  })

  test('show the webhook payload of every domain event', async () => {
    const { webhooks } = (await get('/openapi.json')).body
    expect(Object.keys(webhooks)).toEqual(EVENT_TYPES)
    for (const [type, { post }] of Object.entries<Any>(webhooks))
      expect(post.requestBody.content['application/json'].example.type).toBe(type)
  })

  test('use the API version, not the release version', async () => {
    expect((await get('/openapi.json')).body.info.version).toBe('1.0.0')
  })
})

describe('guides', () => {
  test('link each other and nothing else', async () => {
    const names = [...(await get('/docs')).text.matchAll(/href="\/docs\/guides\/([\w-]+)"/g)].map(
      ([, name]) => name,
    )
    expect(names).toEqual(expect.arrayContaining(['webhooks', 'oauth', 'feeds', 'errors']))
    for (const name of names) {
      const { status, text } = await get(`/docs/guides/${name}`)
      expect([name, status]).toEqual([name, 200])
      expect(text).toContain('<h1 id=')
      for (const [, address = ''] of text.matchAll(/href="([^"]+)"/g))
        if (!address.startsWith('https://')) {
          const [path, anchor] = address.split('#') as [string, string?]
          const page = path === '' ? text : (await get(path)).text
          if (anchor) expect([name, address, page.includes(`id="${anchor}"`)]).toEqual([name, address, true])
          else expect([name, address]).toEqual([name, expect.stringMatching(/^\/(docs|openapi)/)])
        }
      expect((await get(`/docs/guides/${name}.md`)).headers.get('content-type')).toStartWith('text/markdown')
    }
    for (const path of ['/docs/guides/operations', '/docs/guides/..%2Ferrors', '/docs/guides/toString'])
      expect([path, (await get(path)).status]).toEqual([path, 404])
  })

  test('are linked for language models', async () => {
    const { text } = await get('/llms.txt')
    const links = [...text.matchAll(/\((\S+\/docs\/guides\/\S+\.md)\)/g)].map(([, link]) => link as string)
    expect(links.length).toBeGreaterThan(10)
    for (const link of links) expect((await get(new URL(link).pathname)).status).toBe(200)
  })
})
