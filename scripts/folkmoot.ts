import { bootstrap } from './bootstrap'

process.chdir(`${import.meta.dir}/..`)
await bootstrap({ development: false })
const { runOrExplain } = await import('../src/lifecycle/explain')
await runOrExplain(async () => {
  const { folkmoot } = await import('../src/cli/folkmoot')
  process.exitCode = await folkmoot(process.argv.slice(2))
})
