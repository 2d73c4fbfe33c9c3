import { runOrExplain } from '../src/explain'

await runOrExplain(async () => {
  const { runWorker } = await import('./run')
  await runWorker()
})
