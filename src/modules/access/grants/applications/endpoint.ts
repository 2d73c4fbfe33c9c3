import { type Caller, demand } from '@/core/caller'
import { isAppError } from '@/core/errors'
import { db } from '@/db/client'
import { invoke } from '@/http/invoke'
import { queryOf, type Visit } from '@/http/visit'
import { readOwnForm } from '@/web/form-token'
import type { Page } from '@/web/layout'
import { toSignIn } from '@/web/page'
import { redirect } from '@/web/redirect'
import { revokeGrant } from '../actions'
import { connectionsOf } from './list'
import { connectionsPage, PATH } from './page'
import { isConnected } from './queries'

const ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

/** The page of all that may act for a person. */
export async function showConnections(visit: Visit): Promise<Page> {
  const caller = sessionOf(visit)
  const asked = new URLSearchParams(queryOf(visit.request.url))
  const cursor = asked.get('cursor') || undefined
  const ended = asked.get('ended') ?? ''
  const [page, hasEnded] = [
    await connectionsOf(caller.userId, cursor),
    // A link may claim anything, so the page says only what is true.
    ID.test(ended) && !(await isConnected(db, caller.userId, ended)),
  ]
  return {
    title: 'Connected applications',
    body: connectionsPage(page, caller, { hasEnded, isFirst: cursor === undefined }),
  }
}

/** The button of that page. What has ended already, in another window, has ended. */
export async function endConnection(visit: Visit): Promise<Response> {
  if (visit.visitor === 'anonymous') return toSignIn(visit)
  const caller = sessionOf(visit)
  const grantId = (await readOwnForm(visit.request, caller)).get('grantId') ?? ''
  try {
    await invoke(visit, revokeGrant, () => ({ grantId }))
  } catch (error) {
    if (!isAppError(error) || error.appCode !== 'not_found') throw error
  }
  return redirect(visit, 303, `${PATH}?ended=${encodeURIComponent(grantId)}`)
}

const sessionOf = (visit: Visit): Caller => demand(visit, 'session') as Caller
