import '../src/lifecycle/runtime'
import { bootstrap } from './bootstrap'

process.chdir(`${import.meta.dir}/..`)
await bootstrap({ development: false })
process.env.FOLKMOOT_MODE = 'demo'
const { runOrExplain } = await import('../src/lifecycle/explain')
await runOrExplain(async () => (await import('../src/run-server')).run())
