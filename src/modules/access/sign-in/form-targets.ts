import { config } from '@/config/config'

const HOST = /^[a-z0-9.-]+(:\d+)?$/
const SCHEME = /^[a-z][a-z0-9+.-]*:$/
const NEVER = ['javascript:', 'data:', 'blob:', 'file:', 'about:']

/**
 * The `form-action` of a sign-in form. `returnTo` may redirect on to an application, and browsers apply the policy of the form's
 * page to that redirect.
 */
export function formTargets(returnTo: string): string {
  const url = URL.parse(returnTo, config.baseUrl)
  const redirect = url?.pathname === '/oauth/authorize' ? url.searchParams.get('redirect_uri') : null
  const target = URL.parse(redirect ?? '')
  if (target === null || NEVER.includes(target.protocol) || !SCHEME.test(target.protocol)) return "'self'"
  // The policy cannot express some hosts, such as IPv6 addresses: allows their scheme.
  const isPlain = /^https?:$/.test(target.protocol) && HOST.test(target.host)
  return `'self' ${isPlain ? target.origin : target.protocol}`
}
