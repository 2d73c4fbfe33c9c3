import { join } from 'node:path'
import { bootstrap } from './bootstrap'

await bootstrap({ development: true })
process.env.FOLKMOOT_MODE = 'test'
process.env.DATABASE_URL ??= 'postgres://unused@127.0.0.1/unused'
const { app } = await import('../src/app')
const { describeApi } = await import('../src/http/openapi/describe')

/** Writes the committed OpenAPI document, so that API changes show in review. */
const file = join(import.meta.dir, '../docs/openapi.json')
await Bun.write(file, `${JSON.stringify(describeApi(app), null, 2)}\n`)
console.log(`Wrote ${file}`)
process.exit(0)
