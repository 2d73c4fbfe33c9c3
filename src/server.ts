import './lifecycle/order-to-stop'
import { runOrExplain } from './explain'

await runOrExplain(async () => (await import('./run')).run())
