import type { Visit } from '@/http/visit'
import { redirect } from './back'

/** To sign in, and back to this very question. */
export const toLogin = (visit: Visit, query: string, more = ''): Response =>
  redirect(visit, 302, `/login?returnTo=${encodeURIComponent(`/oauth/authorize?${query}`)}${more}`)

/** The same for those who are signed in already. They come back having done so, and are not asked for ever. */
export const toLoginAnew = (visit: Visit, query: string): Response =>
  toLogin(visit, withoutLogin(query), '&prompt=login')

function withoutLogin(query: string): string {
  const asked = new URLSearchParams(query).get('prompt')?.split(' ') ?? []
  const left = asked.filter((prompt) => prompt !== 'login')
  const others = query.split('&').filter((pair) => !new URLSearchParams(pair).has('prompt'))
  return [...others, ...(left.length > 0 ? [`prompt=${encodeURIComponent(left.join(' '))}`] : [])].join('&')
}
