import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Demo } from '@/demo/tokens'
import { type DemoPage, demoPages, READERS, type Reader } from '../../scripts/screenshots/pages'
import { signInAs } from '../../scripts/screenshots/sign-in'
import { ownDatabase, startServer, until } from './processes'
import { freePort } from './redis'

/** The demo community on a server of its own, with somebody of each kind signed in. */
export async function startDemoSite(more: Record<string, string> = {}, tree?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'folkmoot-site-'))
  const file = join(folder, 'demo.json')
  const port = String(await freePort())
  const server = await startServer(
    {
      FOLKMOOT_MODE: 'demo',
      DATABASE_URL: await ownDatabase(),
      DATA_DIR: folder,
      PORT: port,
      BASE_URL: `http://127.0.0.1:${port}`,
      ...more,
    },
    tree,
  )
  await until('it has introduced itself', () => existsSync(file) && server.output().includes('Try it:'))
  const demo = JSON.parse(readFileSync(file, 'utf8')) as Demo
  const sessions = new Map<Reader, string>()
  for (const [reader, username] of Object.entries(READERS))
    sessions.set(reader as Reader, await signInAs(username, server.url))
  return {
    url: server.url,
    demo,
    pages: await demoPages(demo, server.url),
    sessionOf: ({ as }: DemoPage) => sessions.get(as),
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true })
    },
  }
}
