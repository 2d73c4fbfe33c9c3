import type { Page } from '@/core/page'
import { db } from '@/db/client'
import { invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { listGrants, type OAuthGrant } from '../actions'
import { appsMadeBy, detailsOf, type GrantDetails, type Made, webhooksMadeBy } from './queries'

const PER_PAGE = 20

/** A connected application, with what it created for the person. */
export type Connection = OAuthGrant & GrantDetails & { webhooks: string[]; apps: string[] }

/** The API's list, plus details for the person only. */
export async function connectionsOf(visit: Visit, cursor: string | undefined): Promise<Page<Connection>> {
  const { data, pagination } = await invoke(visit, listGrants, () => ({ limit: PER_PAGE, cursor }))
  const ids = data.map(({ grantId }) => grantId)
  const [details, webhooks, apps] = [
    new Map((await detailsOf(db, ids)).map((row) => [row.grantId, row])),
    await webhooksMadeBy(db, ids),
    await appsMadeBy(db, ids),
  ]
  const connections = data.flatMap((grant) => {
    const known = details.get(grant.grantId)
    const { grantId } = grant
    return known
      ? { ...grant, ...known, webhooks: madeBy(webhooks, grantId), apps: madeBy(apps, grantId) }
      : []
  })
  return { data: connections, pagination }
}

const madeBy = (made: Made[], grantId: string) =>
  made.filter((one) => one.grantId === grantId).map(({ what }) => what)
