import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import createClient from 'openapi-fetch'
import { apiUrl, get, type Json } from '../support/api'
import { makeAdmin, makeEvent, makeGroup } from '../support/make'
import { openReceiver } from '../support/receiver'
import { generateTypes } from './generate-types'

const root = join(import.meta.dir, '../..')
const calls = join(import.meta.dir, 'minimal-calls.ts')

test('the description of the API is valid OpenAPI 3.1', async () => {
  const lint = Bun.spawn(
    [process.execPath, 'x', 'redocly', 'lint', 'docs/openapi.json', '--format=stylish'],
    {
      cwd: root,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
  const output = (await new Response(lint.stdout).text()) + (await new Response(lint.stderr).text())
  expect([await lint.exited, output]).toEqual([0, expect.any(String)])
})

describe('a client that openapi-typescript generates', () => {
  test('may make every call of the specification with nothing but what it needs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'folkmoot-generated-'))
    writeFileSync(join(folder, 'openapi.json'), (await get('/openapi.json')).text)
    const types = await generateTypes(join(folder, 'openapi.json'), folder)
    writeFileSync(join(folder, 'generated.d.ts'), types)
    expect(await compile(folder)).toEqual([0, ''])
    // The compiler does look: without what it needs, a call is none.
    writeFileSync(join(folder, 'generated.d.ts'), types.replaceAll(/title\??: string/g, 'heading: string'))
    expect((await compile(folder))[0]).not.toBe(0)
    rmSync(folder, { recursive: true })
  })

  test('is answered', async () => {
    const { token, user } = await makeAdmin()
    const group = await makeGroup({}, user.id)
    await makeEvent(group.id)
    const receiver = openReceiver()
    const api = createClient({ baseUrl: apiUrl(), headers: { authorization: `Bearer ${token}` } })
    const { minimalCalls } = (await import(calls)) as { minimalCalls: Calls }
    const names = { clientId: '', webhookId: '', itemId: '', slug: group.urlname, receiver: receiver.url }
    const refused: [string, number][] = []
    for (const name of Object.keys(minimalCalls(api, names))) {
      const { response, data } = await (minimalCalls(api, names)[name] as Call)()
      if (!response.ok) refused.push([name, response.status])
      if (name === 'POST /v1/developer/apps') names.clientId = data.data.clientId
      if (name === 'POST /v1/developer/webhooks') names.webhookId = data.data.id
      if (name === 'POST /v1/profile/portfolio') names.itemId = data.data.id
    }
    expect(refused).toEqual([])
    receiver.close()
  })
})

type Call = () => Promise<{ response: Response; data?: Json }>
type Calls = (api: object, names: Record<string, string>) => Record<string, Call>

/** The calls against the types that lie in a folder. */
async function compile(folder: string): Promise<[number, string]> {
  const project = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { rootDirs: [folder, import.meta.dir], types: [] },
    include: [],
    files: [calls, join(folder, 'generated.d.ts')],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
  const compiler = Bun.spawn([join(root, 'node_modules/.bin/tsc'), '-p', folder], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const output = (await new Response(compiler.stdout).text()) + (await new Response(compiler.stderr).text())
  return [await compiler.exited, output]
}
