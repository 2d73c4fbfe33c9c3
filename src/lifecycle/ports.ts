import { createServer } from 'node:net'
import type { Config } from '@/config/config'
import { ConfigError } from '@/config/error'

/** Refuses an unavailable port before a database is created for an unreachable server. */
export async function requirePorts({ host, port, metricsHost, metricsPort }: Config): Promise<void> {
  await requirePort('PORT', host, port)
  if (metricsPort !== null) await requirePort('METRICS_PORT', metricsHost, metricsPort)
}

async function requirePort(name: 'PORT' | 'METRICS_PORT', host: string, port: number): Promise<void> {
  const fault = await faultOf(host, port)
  if (fault === undefined) return
  if (fault === 'EADDRINUSE')
    throw new ConfigError(
      `${name} ${port} is in use: stop the other program, or set ${name} to another number.`,
    )
  if (fault === 'EACCES')
    throw new ConfigError(
      `${name} ${port} may not be used by this user: set ${name} to a number from 1024 up.`,
    )
  const hostName = name === 'PORT' ? 'HOST' : 'METRICS_HOST'
  throw new ConfigError(
    `${hostName} ${host} is not an address of this machine (${fault}): set it to 127.0.0.1${name === 'PORT' ? ', or to 0.0.0.0 for all addresses' : ', or to an address that only Prometheus reaches'}.`,
  )
}

function faultOf(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => resolve(code))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}
