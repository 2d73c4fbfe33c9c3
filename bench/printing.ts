import postgres from 'postgres'
import { seedEvent, seedPeople } from '../test/support/seed'
import { median } from './median'
import { slowest } from './paced'
import { type Surroundings, startServer } from './server'

export const PRINTING = { name: 'printing: 1,000 badges beside the API' }

const BADGES = 1000
const ROUNDS = 6
/** A request that asks the database: a cached answer would show nothing. */
const ASKED = '/v1/uploads/usage'

/** The 99th percentile of the API in milliseconds, alone and while badges are drawn, and how many sheets were. */
export type Printing = { alone: number; beside: number; sheets: number }

/** The server runs its worker itself, as on a small machine. Alone and beside take turns. */
export async function measurePrinting(
  surroundings: Surroundings,
  say: (what: string) => void,
): Promise<Printing> {
  say('the API beside 1,000 badges that are drawn')
  const { databaseUrl } = surroundings
  const { groupId, eventId, owner } = await seedEvent(databaseUrl)
  const guests = await seedPeople(databaseUrl, BADGES)
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  await sql`insert into rsvps (id, event_id, user_id, status)
    select uuidv7(), ${eventId}, id, 'confirmed' from unnest(${guests.map(({ id }) => id)}::uuid[]) id`
  await sql`update personal_tokens set scopes = array['user', 'write:uploads', 'manage:checkins'] where user_id = ${owner.id}`
  const server = await startServer(surroundings, {
    WORKER: 'embedded',
    QUOTA_PASS_SHEETS: '1000000',
    QUOTA_JOBS: '1000000',
  })
  const headers = { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' }
  const at = `${server.url}/v1/manage/groups/${groupId}`
  const draw = async () => {
    const body = JSON.stringify({ kind: 'badges', paper: 'a4' })
    const asked = await fetch(`${at}/events/${eventId}/pass-sheets`, { method: 'POST', headers, body })
    const { data } = (await asked.json()) as { data: { id: string } }
    for (let status = ''; status !== 'ready'; await Bun.sleep(50)) {
      const read = await fetch(`${at}/pass-sheets/${data.id}`, { headers })
      status = ((await read.json()) as { data: { status: string } }).data.status
      if (status === 'failed') throw new Error('A sheet could not be drawn')
    }
  }
  const found = { alone: [] as number[], beside: [] as number[] }
  let sheets = 0
  await slowest(server.url, owner.token, ASKED)
  for (let round = 0; round < ROUNDS; round += 1) {
    found.alone.push(await slowest(server.url, owner.token, ASKED))
    let isOver = false
    const drawing = (async () => {
      for (; !isOver; sheets += 1) await draw()
    })()
    found.beside.push(await slowest(server.url, owner.token, ASKED))
    isOver = true
    await drawing
  }
  await server.stop()
  await sql.end()
  return { alone: median(found.alone), beside: median(found.beside), sheets }
}
