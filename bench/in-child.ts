import { join } from 'node:path'
import { onServerCore } from './pin'
import { start } from './processes'
import type { Surroundings } from './server'

/** The modules of the server read the environment when they are imported, so each of these is a process of its own. */
export async function inChild<T>(
  file: string,
  { databaseUrl, secretKey }: Surroundings,
  ...words: string[]
): Promise<T> {
  const child = start(onServerCore([process.execPath, join(import.meta.dir, file), ...words]), {
    stdout: 'pipe',
    env: { ...process.env, DATABASE_URL: databaseUrl, SECRET_KEY: secretKey },
  })
  return JSON.parse(await new Response(child.stdout).text()) as T
}
