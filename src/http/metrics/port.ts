import { config } from '@/config/config'
import { metricsText } from '@/core/metrics'
import '@/db/metrics'
import { ConfigError } from '@/config/error'
import { pathOf } from '../visit'
import { type Role, watchProcess } from './process'
import { type Figures, sharedText } from './shared'

/**
 * Answers `/metrics` on a port of its own, never on that of the API: figures are for the operator. `ofProcesses` gives the text of all
 * processes that it answers for.
 */
export function serveMetrics(
  role: Role,
  figures: readonly Figures[],
  ofProcesses: () => Promise<string> = async () => metricsText(),
): { stop(): void } | undefined {
  const { metricsHost: hostname, metricsPort: port } = config
  if (port === null) return undefined
  watchProcess(role)
  try {
    const server = Bun.serve({ hostname, port, fetch: (request) => answer(request, figures, ofProcesses) })
    return { stop: () => void server.stop(true) }
  } catch {
    throw new ConfigError(`METRICS_PORT ${port} is in use: set it to another number.`)
  }
}

async function answer(
  request: Request,
  figures: readonly Figures[],
  ofProcesses: () => Promise<string>,
): Promise<Response> {
  if (pathOf(request.url) !== '/metrics') return new Response('Not found\n', { status: 404 })
  const [own, shared] = await Promise.all([ofProcesses(), sharedText(figures)])
  return new Response(own + shared, {
    headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
  })
}
