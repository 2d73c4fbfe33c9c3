import './lifecycle/runtime'
import { loadParts } from './lifecycle/bundle'
import { runOrExplain } from './lifecycle/explain'
import { listenForOrder } from './lifecycle/order-to-stop'

const order = listenForOrder()

await runOrExplain(async () => {
  const { server } = await loadParts(() => import('./parts'))
  await (await server()).run(order)
})
