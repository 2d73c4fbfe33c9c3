import { config } from '@/config/config'
import { metricsText } from '@/core/metrics'
import '@/db/metrics'
import { ConfigError } from '@/config/error'
import { pathOf } from '../visit'
import { type Role, watchProcess } from './process'
import { type DatabaseMetrics, sharedText } from './shared'

/**
 * Serves `/metrics` on its own port, never on that of the API: metrics are for the operator. `ofProcesses` returns the text of
 * all processes.
 */
export function serveMetrics(
  role: Role,
  databaseMetrics: readonly DatabaseMetrics[],
  ofProcesses: () => Promise<string> = async () => metricsText(),
): { stop(): void } | undefined {
  const { metricsHost: hostname, metricsPort: port } = config
  if (port === null) return undefined
  watchProcess(role)
  try {
    const server = Bun.serve({
      hostname,
      port,
      fetch: (request) => answer(request, databaseMetrics, ofProcesses),
    })
    return { stop: () => void server.stop(true) }
  } catch {
    throw new ConfigError(`METRICS_PORT ${port} is in use: set it to another number.`)
  }
}

async function answer(
  request: Request,
  databaseMetrics: readonly DatabaseMetrics[],
  ofProcesses: () => Promise<string>,
): Promise<Response> {
  if (pathOf(request.url) !== '/metrics') return new Response('Not found\n', { status: 404 })
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return new Response('Send a GET\n', { status: 405, headers: { allow: 'GET, HEAD' } })
  if (isFromElsewhere(request))
    return new Response('Ask for 127.0.0.1 or localhost, or set METRICS_HOST\n', { status: 403 })
  const [own, shared] = await Promise.all([ofProcesses(), sharedText(databaseMetrics)])
  return new Response(own + shared, {
    headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
  })
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[?::1\]?)$/

/** DNS rebinding: a page in a local browser sends its own host name. */
const isFromElsewhere = ({ headers }: Request) =>
  LOOPBACK.test(config.metricsHost) && !LOOPBACK.test((headers.get('host') ?? '').replace(/:\d+$/, ''))
