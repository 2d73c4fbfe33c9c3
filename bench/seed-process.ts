import { join } from 'node:path'
import type { Dataset } from './dataset'
import type { Seed } from './seed'
import { type Surroundings, storageIn } from './server'

/** The modules of the server read the environment when they are imported, so each seeding is a process of its own. */
export async function sow({ folder, databaseUrl, secretKey }: Surroundings, dataset: Dataset): Promise<Seed> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'seed.ts'), JSON.stringify(dataset)], {
    env: { ...process.env, DATABASE_URL: databaseUrl, SECRET_KEY: secretKey, STORAGE_URL: storageIn(folder) },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const text = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error('The database could not be filled')
  return JSON.parse(text) as Seed
}
