import { expect, test } from 'bun:test'
import { type Answer, call, type Json } from '../support/api'
import { seededRandom } from '../support/random'
import { makeJudge } from './judge'
import { describedOperations, type Operation } from './operations'
import { composeRequest, type Found, type Sent } from './request'
import { makeWorld } from './world'

/** FUZZ_REQUESTS and SEED give more of it, or the same again. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 100_000)
const AT_ONCE = 12
/** After so many the world is worn out: groups are deleted, people suspended, budgets spent. */
const WORLD_LASTS = 1500
const FAULTS_SHOWN = 40
/** What nobody is ever given, and what takes only the bytes that were said before. */
const REFUSED = ['GET /mcp', 'PUT /uploads/{token}']

test(
  `${REQUESTS} hostile requests to every operation are answered as it declares`,
  async () => {
    const dice = seededRandom()
    const { operations, schemas } = await describedOperations()
    const judge = await makeJudge(operations, schemas)
    const faults = new Map<string, { times: number; example: string }>()
    const successes = new Map<Operation, number>()
    const statuses = new Map<number, number>()

    for (let done = 0; done < REQUESTS; ) {
      const world = await makeWorld()
      const found: Found = { things: new Map(), cursors: new Map() }
      for (const end = Math.min(done + WORLD_LASTS, REQUESTS); done < end; done += AT_ONCE)
        await Promise.all(
          Array.from({ length: AT_ONCE }, async (_, i) => {
            const operation = operations[(done + i) % operations.length] as Operation
            const sent = composeRequest(operation, schemas, world, found, dice)
            const { method, path, headers, body } = sent
            const answer = await call(method, path, { headers, body })
            statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
            const wrong = judge(operation, sent, answer)
            if (wrong !== undefined) note(operation, sent, answer, wrong)
            if (answer.status < 400 && method === operation.method) {
              successes.set(operation, (successes.get(operation) ?? 0) + 1)
              remember(operation, sent, answer.body, found)
            }
          }),
        )
    }

    function note({ method, path }: Operation, sent: Sent, answer: Answer, wrong: string) {
      const what = `${method} ${path} ${wrong.replace(/\[\d+\]/g, '[]')}`
      const known = faults.get(what)
      if (known) known.times += 1
      else faults.set(what, { times: 1, example: example(sent, answer) })
    }

    console.log('statuses', Object.fromEntries([...statuses].sort(([a], [b]) => a - b)))
    const reached = operations
      .map((operation) => ({
        name: `${operation.method} ${operation.path}`,
        times: successes.get(operation) ?? 0,
      }))
      .sort((a, b) => a.times - b.times)
    console.log(
      'hardest to reach:',
      reached
        .slice(0, 12)
        .map(({ name, times }) => `${name} (${times})`)
        .join(', '),
    )
    for (const [what, { times, example }] of [...faults].slice(0, FAULTS_SHOWN))
      console.log(`\n${what} (${times} times)\n${example}`)
    expect([...faults.keys()]).toEqual([])
    // Requests that never get in prove little.
    const never = reached.filter(({ times }) => times === 0).map(({ name }) => name)
    // The hardest are reached six times in a run; one that chance left out is no fault.
    const missed = never.filter((name) => !REFUSED.includes(name))
    if (REQUESTS >= 100_000 && missed.length > 1) expect(missed).toEqual([])
  },
  60 * 60_000,
)

const short = (text: unknown) => String(text).slice(0, 300)

const example = ({ caller, method, path, headers, body }: Sent, { status, text }: Answer) =>
  [
    `  ${caller}: ${method} ${short(path)}`,
    `  ${short(JSON.stringify({ ...headers, authorization: undefined, cookie: undefined }))}`,
    `  ${short(body ?? '')}`,
    `  → ${status} ${short(text)}`,
  ].join('\n')

const KEPT = 30

/** Keeps names of what was made or listed, so that it is used, changed and deleted later, and used again after that. */
function remember({ path }: Operation, { actor }: Sent, body: Json, { things, cursors }: Found) {
  const cursor = body?.pagination?.nextCursor
  if (cursor) keep(cursors, path, cursor)
  const segment = path.split('/').at(-1) as string
  for (const thing of [body?.data?.apps, body?.data?.webhooks, body?.data?.deliveries, body?.data].flat()) {
    for (const name of [thing?.clientId, thing?.key, thing?.code, thing?.grantId, thing?.id])
      if (typeof name === 'string') keep(things, segment, { name, actor })
    if (typeof thing?.messageId === 'string') keep(things, 'messages', { name: thing.messageId, actor })
  }
}

function keep<T>(pool: Map<string, T[]>, key: string, value: T) {
  const kept = pool.get(key)
  if (kept === undefined) pool.set(key, [value])
  else if (kept.push(value) > KEPT) kept.shift()
}
