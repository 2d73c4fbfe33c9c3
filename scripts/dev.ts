import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { bootstrap } from './bootstrap'

process.chdir(`${import.meta.dir}/..`)
await bootstrap({ development: true })
process.env.FOLKMOOT_MODE = 'demo'
const { runOrExplain } = await import('../src/lifecycle/explain')
const { listenForOrder } = await import('../src/lifecycle/order-to-stop')
const order = listenForOrder()

/** The demo with a server that restarts when a source file changes. The database belongs to this process and keeps running. */
await runOrExplain(async () => {
  const { config } = await import('../src/config/config')
  const { withDatabase } = await import('../src/processes/run-server')
  const running = withDatabase(config, (url) => serve(url, config.secretKey), order.signal)
  process.exitCode = await running.catch((error) => {
    // Expected after an order to stop.
    if (order.signal.aborted) return 1
    throw error
  })
})
process.exit()

async function serve(databaseUrl: string, secretKey: string): Promise<number> {
  if (order.signal.aborted) return 1
  const server = spawn(process.execPath, ['--watch', '--no-clear-screen', 'src/server.ts'], {
    stdio: 'inherit',
    // The key is stored with the embedded database; given an address, the server would not find it.
    env: { ...process.env, DATABASE_URL: databaseUrl, SECRET_KEY: secretKey },
  })
  void order.given.then((how) => server.kill(how === 'launcher gone' ? 'SIGTERM' : how))
  const [code] = await once(server, 'exit')
  return code ?? 1
}
