import { config } from '@/config/config'

const HOST = /^[a-z0-9.-]+(:\d+)?$/
const SCHEME = /^[a-z][a-z0-9+.-]*:$/
const NEVER = ['javascript:', 'data:', 'blob:', 'file:', 'about:']

/**
 * The `form-action` of a sign-in form. Behind `returnTo` an application may be waiting, to which the person is
 * redirected at once, and browsers hold that redirect to the policy of the page with the form.
 */
export function formTargets(returnTo: string): string {
  const url = URL.parse(returnTo, config.baseUrl)
  const redirect = url?.pathname === '/oauth/authorize' ? url.searchParams.get('redirect_uri') : null
  const target = URL.parse(redirect ?? '')
  if (target === null || NEVER.includes(target.protocol) || !SCHEME.test(target.protocol)) return "'self'"
  // The policy is a list of sources: a host that is not plainly one, such as an IPv6 address, goes by its scheme alone.
  const isPlain = /^https?:$/.test(target.protocol) && HOST.test(target.host)
  return `'self' ${isPlain ? target.origin : target.protocol}`
}
