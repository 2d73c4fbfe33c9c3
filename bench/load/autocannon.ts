import { dirname, join } from 'node:path'
import { start } from '../processes'
import { CONNECTIONS, type Generator } from './generator'

type Report = {
  duration: number
  requests: { total: number }
  errors: number
  statusCodeStats: Record<string, { count: number }>
}

const program = join(dirname(Bun.resolveSync('autocannon/package.json', import.meta.dir)), 'autocannon.js')

/** In a process of its own: in ours it would share the event loop with the bench. */
export const autocannon: Generator = {
  name: 'autocannon (slower than the servers: install wrk, these ratios flatter)',
  async fire({ url, method, headers, body, vary, status }, seconds) {
    if (vary !== undefined) return { requests: 0, perSecond: 0, wrong: 0 }
    const options = [
      '--json',
      '--no-progress',
      '-c',
      String(CONNECTIONS),
      '-d',
      String(seconds),
      '-m',
      method,
    ]
    for (const [name, value] of Object.entries(headers)) options.push('-H', `${name}: ${value}`)
    if (body !== undefined) options.push('-b', body)
    const child = start([process.execPath, program, ...options, url], { stdout: 'pipe' })
    const output = await child.stdout.text()
    if ((await child.exited) !== 0) throw new Error(`autocannon failed: ${output.trim()}`)
    const { duration, requests, errors, statusCodeStats } = JSON.parse(output) as Report
    const right = statusCodeStats[status]?.count ?? 0
    return {
      requests: requests.total,
      perSecond: requests.total / duration,
      wrong: errors + requests.total - right,
    }
  },
}
