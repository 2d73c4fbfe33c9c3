import { join } from 'node:path'
import { bootstrap } from './bootstrap'

await bootstrap({ development: true })
process.env.FOLKMOOT_MODE = 'test'
process.env.DATABASE_URL ??= 'postgres://unused@127.0.0.1/unused'
const { writePrivacy } = await import('./privacy/write')

/** Writes the tables of docs/privacy.md from the registry and the sweeps, so that what it promises is what is done. */
const file = join(import.meta.dir, '../docs/privacy.md')
await Bun.write(file, writePrivacy(await Bun.file(file).text()))
console.log(`Wrote ${file}`)
process.exit(0)
