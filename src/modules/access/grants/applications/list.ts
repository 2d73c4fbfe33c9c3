import type { Page } from '@/core/page'
import { db } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { NEWEST_FIRST } from '../queries'
import { appsMadeBy, type ConnectionRow, listConnectionsOf, type Made, webhooksMadeBy } from './queries'

const PER_PAGE = 20

/** An application that may act for a person, with what it made for them. */
export type Connection = ConnectionRow & { webhooks: string[]; apps: string[] }

export async function connectionsOf(userId: string, cursor: string | undefined): Promise<Page<Connection>> {
  const page = await keysetPage(
    {
      list: `connections:${userId}`,
      input: { limit: PER_PAGE, cursor, offset: 0 },
      order: NEWEST_FIRST,
      rows: (after) => listConnectionsOf(db, userId, after),
    },
    (row) => row,
  )
  const ids = page.data.map(({ grantId }) => grantId)
  const [webhooks, apps] = [await webhooksMadeBy(db, ids), await appsMadeBy(db, ids)]
  return {
    ...page,
    data: page.data.map((row) => ({
      ...row,
      webhooks: madeBy(webhooks, row.grantId),
      apps: madeBy(apps, row.grantId),
    })),
  }
}

const madeBy = (made: Made[], grantId: string) =>
  made.filter((one) => one.grantId === grantId).map(({ what }) => what)
