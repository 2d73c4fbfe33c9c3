import { type Durations, gauge, Histogram } from '@/core/metrics'
import { inFlight } from '../address'

const requests = new Histogram(
  'folkmoot_http_request_duration_seconds',
  'Requests by method, route and status.',
  [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
)

/**
 * By route, method and status, without building a key per request. `prom-client` builds one, takes seven times as long, and 50 ms
 * to load (docs/performance.md).
 */
const known = new Map<string, Map<string, Map<number, Durations>>>()

export function countRequest(method: string, route: string, status: number, ms: number) {
  const byMethod = within(known, route, () => new Map<string, Map<number, Durations>>())
  const byStatus = within(byMethod, method, () => new Map<number, Durations>())
  const series = within(byStatus, status, () => requests.of({ method, route, status: String(status) }))
  requests.observe(series, ms / 1000)
}

function within<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}

gauge('folkmoot_http_requests_in_flight', 'Requests that are being answered.', inFlight)
