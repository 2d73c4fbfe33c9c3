import { join } from 'node:path'
import { bootstrap } from './bootstrap'

await bootstrap({ development: true })
process.env.FOLKMOOT_MODE = 'test'
process.env.DATABASE_URL ??= 'postgres://unused@127.0.0.1/unused'
const { writePrivacy } = await import('./privacy/write')

/** Generates the tables of docs/privacy.md from the inventory and the sweeps, so that they match the code. */
const file = join(import.meta.dir, '../docs/privacy.md')
await Bun.write(file, writePrivacy(await Bun.file(file).text()))
console.log(`Wrote ${file}`)
process.exit(0)
