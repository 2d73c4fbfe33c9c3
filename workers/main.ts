import '../src/lifecycle/order-to-stop'
import { runOrExplain } from '../src/explain'

await runOrExplain(async () => {
  const { runWorker } = await import('./run')
  await runWorker()
})
