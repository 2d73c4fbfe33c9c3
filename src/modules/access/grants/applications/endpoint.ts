import { db } from '@/db/client'
import { queryOf, type Visit } from '@/http/visit'
import type { Sent } from '@/web/form'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { signedIn } from '@/web/page'
import { settingsPage } from '@/web/settings'
import { connectionsOf } from './list'
import { connectionsPage } from './page'
import { isConnected } from './queries'

const ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

export async function showConnections(visit: Visit, _: object, sent?: Sent): Promise<Page> {
  const caller = signedIn(visit)
  const words = wordsFor(visit)
  const asked = new URLSearchParams(queryOf(visit.request.url))
  const cursor = asked.get('cursor') || undefined
  const ended = asked.get('ended') ?? ''
  const [page, hasEnded] = [
    await connectionsOf(visit, cursor),
    // Verified, because a link may claim anything.
    ID.test(ended) && !(await isConnected(db, caller.userId, ended)),
  ]
  return settingsPage(visit, 'applications', {
    body: connectionsPage(page, caller, words, { hasEnded, isFirst: cursor === undefined, sent }),
  })
}
