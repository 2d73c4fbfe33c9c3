import { join } from 'node:path'
import { start } from '../processes'
import { CONNECTIONS, type Generator, type Shot, type Volley } from './generator'

type Summary = { requests: number; microseconds: number; refused: number; broken: number }

/** wrk takes whole seconds. */
export const wrk = (folder: string): Generator => ({
  name: 'wrk',
  async fire(shot, seconds) {
    const script = join(folder, 'shot.lua')
    await Bun.write(script, scriptFor(shot))
    const options = ['-t', '1', '-c', String(CONNECTIONS), '-d', `${seconds}s`, '-s', script]
    const child = start(['wrk', ...options, shot.url], { stdout: 'pipe' })
    const output = await child.stdout.text()
    if ((await child.exited) !== 0) throw new Error(`wrk failed: ${output.trim()}`)
    return volley(JSON.parse(output.trim().split('\n').at(-1) as string), shot.status)
  },
})

/** Sets what does not change, so that wrk builds the request once unless it varies; JSON's strings are Lua's as well. */
const scriptFor = ({ method, headers, body, vary = '' }: Shot) => `
wrk.method = ${JSON.stringify(method)}
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`)
  .join('\n')}
${body === undefined ? '' : `wrk.body = ${JSON.stringify(body)}`}
${vary}
function done(summary)
  local errors = summary.errors
  local broken = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format('\\n{"requests":%d,"microseconds":%d,"refused":%d,"broken":%d}\\n',
    summary.requests, summary.duration, errors.status, broken))
end
`

/** wrk tells only answers from 400 up from the others. */
const volley = ({ requests, microseconds, refused, broken }: Summary, status: number): Volley => ({
  requests,
  perSecond: (requests * 1e6) / microseconds,
  wrong: broken + (status < 400 ? refused : requests - refused),
})
