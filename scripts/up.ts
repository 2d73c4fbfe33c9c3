import '../src/lifecycle/runtime'
import { bootstrap } from './bootstrap'

process.chdir(`${import.meta.dir}/..`)
await bootstrap({ development: false })
process.env.FOLKMOOT_MODE = 'demo'
const { loadParts } = await import('../src/lifecycle/bundle')
const { runOrExplain } = await import('../src/lifecycle/explain')
const { listenForOrder } = await import('../src/lifecycle/order-to-stop')
const order = listenForOrder()
await runOrExplain(async () => {
  const { server } = await loadParts(() => import('../src/parts'))
  await (await server()).run(order)
})
