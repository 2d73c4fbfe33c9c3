import './lifecycle/runtime'
import './lifecycle/order-to-stop'
import { runOrExplain } from './lifecycle/explain'

await runOrExplain(async () => (await import('./run-server')).run())
