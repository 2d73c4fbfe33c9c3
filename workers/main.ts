import '../src/lifecycle/runtime'
import { loadParts } from '../src/lifecycle/bundle'
import { runOrExplain } from '../src/lifecycle/explain'
import { listenForOrder } from '../src/lifecycle/order-to-stop'

const order = listenForOrder()

await runOrExplain(async () => {
  const { worker } = await loadParts(() => import('../src/parts'))
  await (await worker()).runWorker(order)
})
