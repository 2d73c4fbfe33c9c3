import '../src/lifecycle/runtime'
import '../src/lifecycle/order-to-stop'
import { runOrExplain } from '../src/lifecycle/explain'

await runOrExplain(async () => {
  const { runWorker } = await import('./run-worker')
  await runWorker()
})
