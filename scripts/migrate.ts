import { bootstrap } from './bootstrap'

await bootstrap({ development: false })
const { runOrExplain } = await import('../src/explain')
await runOrExplain(async () => {
  const { config } = await import('../src/config')
  const { withDatabase } = await import('../src/run')
  const { migrateDatabase } = await import('../src/db/migrate')
  await withDatabase(config, migrateDatabase)
  console.log('The database is up to date.')
})
