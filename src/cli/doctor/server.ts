import { config } from '@/config/config'
import { reasonOf } from '@/core/reason'
import { VERSION } from '@/core/version'
import { isLocked } from '@/db/data-lock'
import { MISSED_PROMOTION } from '@/http/health'
import { type Finding, ok, warning, wrong } from './finding'

export const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

export function checkSettings(): Finding[] {
  const { baseUrl, https, trustedProxies } = config
  if (https) {
    const found = ok('address', `People use ${baseUrl}.`)
    if (trustedProxies.length > 0) return [found, ok('proxy', `Trusted: ${trustedProxies.join(', ')}.`)]
    return [
      found,
      warning(
        'proxy',
        'TRUSTED_PROXIES is empty, and something in front of the server does TLS: everybody behind it counts as one address.',
        'Set TRUSTED_PROXIES to the address that the connections of the proxy come from: 127.0.0.1,::1 on this machine, and in a container the gateway of its network.',
      ),
    ]
  }
  const todo = 'Set BASE_URL to the https:// address that people use, with a proxy in front that does TLS.'
  return [
    LOOPBACK.test(new URL(baseUrl).hostname)
      ? warning('address', `BASE_URL is ${baseUrl}: only this machine can use it.`, todo)
      : wrong('address', `BASE_URL is ${baseUrl}: sign-ins travel in clear.`, todo),
  ]
}

const RELEASE = /^folkmoot_build_info\{[^}]*version="([^"]+)"/gm
const PATIENCE_MS = 5000

/** Whether a server answers on this machine and, if different, at its public address. */
export async function checkServer(): Promise<Finding[]> {
  const { baseUrl } = config
  const findings = [await checkReadiness(addressHere()), ...(await checkRelease())]
  if (!LOOPBACK.test(new URL(baseUrl).hostname)) findings.push(await lookFromOutside(baseUrl))
  return findings
}

function addressHere(): string {
  return originOf(config.host, config.port)
}

/** A server on all addresses is checked on loopback. */
function originOf(host: string, port: number): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** Whether the local server has seen a promotion that the writable database missed. */
export async function knowsOfPromotion(): Promise<boolean> {
  const answer = await ask(`${addressHere()}/readyz`)
  return typeof answer !== 'string' && (await answer.text()).includes(MISSED_PROMOTION)
}

async function checkReadiness(here: string): Promise<Finding> {
  const answer = await ask(`${here}/readyz`)
  if (typeof answer === 'string' && isLocked(config.dataDir))
    return warning(
      'server',
      `None answers at ${here} yet: ${answer}. The data folder is in use: by a starting server or a running command.`,
      'Run this again in a moment.',
    )
  if (typeof answer === 'string') {
    const found = `No server answers at ${here}: ${answer}.`
    // The embedded database is only for this machine; one with an address may have servers elsewhere.
    return config.databaseUrl === null
      ? wrong('server', found, 'Start it, unless it is stopped on purpose.')
      : warning('server', found, 'Start it, unless it is stopped on purpose or runs elsewhere.')
  }
  return answer.status === 200
    ? ok('server', `It answers at ${here}.`)
    : wrong(
        'server',
        `It answers at ${here} that it is not ready (${answer.status}).`,
        'Look at "database", "hosts" and "standbys" here, and into the log of the server.',
      )
}

/** Whether a server with metrics runs the release of these files. */
async function checkRelease(): Promise<Finding[]> {
  const { metricsHost, metricsPort } = config
  const answer = metricsPort === null ? '' : await ask(`${originOf(metricsHost, metricsPort)}/metrics`)
  const figures = typeof answer === 'string' ? '' : await answer.text()
  const running = new Set([...figures.matchAll(RELEASE)].map(([, version]) => version))
  running.delete(VERSION)
  if (running.size === 0) return []
  return [
    warning(
      'release',
      `${[...running].join(' and ')} runs, and the files that lie here are of ${VERSION}.`,
      'Restart the server, so that it is of one release with them.',
    ),
  ]
}

async function lookFromOutside(baseUrl: string): Promise<Finding> {
  const answer = await ask(`${baseUrl}/healthz`)
  if (typeof answer !== 'string' && answer.status === 200)
    return ok('public address', `${baseUrl} leads to a server.`)
  const why = typeof answer === 'string' ? answer : `it answers ${answer.status}`
  return warning(
    'public address',
    `${baseUrl} could not be used from this machine: ${why}.`,
    'Try it from elsewhere; then check its name (DNS), its certificate, and that the proxy passes the Host header on.',
  )
}

async function ask(url: string): Promise<Response | string> {
  try {
    return await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'manual' })
  } catch (error) {
    const { reason, code, fault } = reasonOf(error)
    return reason ?? code ?? fault
  }
}
