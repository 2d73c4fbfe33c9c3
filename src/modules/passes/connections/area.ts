import { Elysia } from 'elysia'
import { DAY_MS } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { SLICE } from '@/db/delete-in-slices'
import { transaction } from '@/db/transaction'
import { serve } from '@/http/serve'
import { toolbox } from '@/mcp/tool'
import { listConnections, listUserConnections, removeConnection } from './actions'
import { deleteOldStrangers, listOldStrangers, lockStrangerCounts, uncountStrangers } from './queries'

/** Deletes expired records of anonymous visitors in slices, and decrements the counters. */
export async function deleteExpiredStrangers(before: Date, size = SLICE): Promise<void> {
  while ((await deleteSlice(before, size)) === size);
}

const deleteSlice = (before: Date, size: number): Promise<number> =>
  transaction(async (tx) => {
    const old = await listOldStrangers(tx, before, size)
    await lockStrangerCounts(tx, passesOf(old))
    const gone = await deleteOldStrangers(
      tx,
      before,
      old.map(({ id }) => id),
    )
    await uncountStrangers(tx, passesOf(gone))
    return old.length
  })

const passesOf = (records: { passId: string | null }[]): string[] =>
  records.flatMap(({ passId }) => passId ?? [])

const connectionsTools = toolbox({
  meetpass_connections: [
    listConnections,
    {
      title: 'List my connections',
      description:
        'Lists people met by tapping a pass, newest first. Entries with a visitorAnonId are anonymous visitors.',
    },
  ],
})

const STRANGERS_DAYS = 90

const connectionSweeps = [
  sweep({
    name: 'connections of strangers',
    keeps: { ms: STRANGERS_DAYS * DAY_MS, after: 'the tap of a stranger' },
    run: deleteExpiredStrangers,
  }),
]

const own = new Elysia({ prefix: '/v1/meetpass/connections', tags: ['MeetPass'] })
  .get('', ...serve(listConnections))
  .delete('/:id', ...serve(removeConnection))

const ofOthers = new Elysia({ prefix: '/v1/users/:username', tags: ['User'] }).get(
  '/connections',
  ...serve(listUserConnections),
)

const connectionRoutes = new Elysia().use(own).use(ofOthers)

export const connectionsArea = {
  routes: connectionRoutes,
  tools: connectionsTools,
  sweeps: connectionSweeps,
}
