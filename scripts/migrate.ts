import { bootstrap } from './bootstrap'

await bootstrap({ development: false })
const { runOrExplain } = await import('../src/lifecycle/explain')
await runOrExplain(async () => {
  const { config } = await import('../src/config/config')
  const { withDatabase } = await import('../src/run-server')
  const { bringUpToDate } = await import('../src/db/migrate/up-to-date')
  await withDatabase(config, (url) => bringUpToDate(url))
  console.log('The database is up to date.')
})
