import { loadParts } from './lifecycle/bundle'
import { runOrExplain } from './lifecycle/explain'

await runOrExplain(async () => {
  const { api } = await loadParts(() => import('./parts'))
  await (await api()).runApiProcess()
})
