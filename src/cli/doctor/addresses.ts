import { config } from '@/config/config'
import { type Finding, ok, warning, wrong } from './finding'

export const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

export function lookAtSettings(): Finding[] {
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
      ? warning('address', `BASE_URL is ${baseUrl}: nobody but this machine can use it.`, todo)
      : wrong('address', `BASE_URL is ${baseUrl}: sign-ins travel in clear.`, todo),
  ]
}
