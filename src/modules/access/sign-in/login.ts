import { queryOf, type Visit } from '@/http/visit'
import { wordsFor } from '@/web/language'
import { ownPath } from '@/web/own-path'
import type { Answer } from '@/web/page'
import { redirect } from '@/web/redirect'
import { loginPage } from './pages'
import { sessionOf } from './visitor'

/**
 * The ways to sign in; whoever is in already goes on to where they wanted to be, unless they are asked to show once
 * more who they are.
 */
export async function logIn(visit: Visit): Promise<Answer> {
  const asked = new URLSearchParams(queryOf(visit.request.url))
  const returnTo = ownPath(asked.get('returnTo'))
  const anew = asked.get('prompt') === 'login'
  return sessionOf(visit) && !anew
    ? redirect(visit, 303, returnTo)
    : await loginPage(wordsFor(visit), returnTo)
}
