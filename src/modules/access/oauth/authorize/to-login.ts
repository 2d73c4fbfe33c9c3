import type { Visit } from '@/http/visit'
import { LOGIN } from '@/web/login'
import { redirect } from '@/web/redirect'

/** The sign-in that leads back to this very question, for those who are signed in already with `prompt=login`. */
export const toLoginPath = (query: string, prompt?: 'login'): string =>
  `${LOGIN}?returnTo=${encodeURIComponent(`/oauth/authorize?${query}`)}${prompt ? `&prompt=${prompt}` : ''}`

/** To sign in, and back to this very question. */
export const toLogin = (visit: Visit, query: string): Response => redirect(visit, 302, toLoginPath(query))

/** The same for those who are signed in already. They come back having done so, and are not asked for ever. */
export const toLoginAnew = (visit: Visit, query: string): Response =>
  redirect(visit, 302, toLoginPath(withoutLogin(query), 'login'))

function withoutLogin(query: string): string {
  const asked = new URLSearchParams(query).get('prompt')?.split(' ') ?? []
  const left = asked.filter((prompt) => prompt !== 'login')
  const others = query.split('&').filter((pair) => !new URLSearchParams(pair).has('prompt'))
  return [...others, ...(left.length > 0 ? [`prompt=${encodeURIComponent(left.join(' '))}`] : [])].join('&')
}
