import { join } from 'node:path'
import { record, startBare } from './answer'
import { takeTurn } from './compare'
import type { Generator, Shot } from './load/generator'
import { median } from './median'
import { onServerCore } from './pin'
import { start } from './processes'
import { type Surroundings, startServer } from './server'

export const AGENTS = { name: 'agents: tools/call beside the route and a server of the official SDK' }

const ROUNDS = 7
const BATCH = 10
const LIST = { path: '/v1/events', tool: 'events_list' }

/** Of calls per second of the server's processor time. */
export type Agents = {
  /** A call of the tool, to its route. */
  toRoute: number
  /** What of that the runtime takes: a bare server that reads the call and sends its answer, to one that sends the route's. */
  bare: number
  /** The same, to a server of the official SDK that has the answer in its memory. */
  toSdk: number
  /** Ten calls in a batch, to ten calls. */
  batch: number
}

export async function measureAgents(
  surroundings: Surroundings,
  token: string,
  generator: Generator,
  say: (what: string) => void,
): Promise<Agents> {
  say('tools of agents, their routes and the official SDK')
  const server = await startServer(surroundings)
  const headers = { authorization: `Bearer ${token}` }
  const get: Shot = { url: server.url + LIST.path, method: 'GET', headers, status: 200 }
  const answer = await (await fetch(get.url, { headers })).text()
  const sdk = await startSdk(answer, surroundings.folder)
  const call = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: LIST.tool, arguments: {} },
  })
  const post = (url: string, json: object): Shot => ({
    url: `${url}/mcp`,
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(json),
    status: 200,
  })
  const tool = post(server.url, call(1))
  const bareGet = await startBare(await record(get), surroundings.folder)
  const barePost = await startBare(await record(tool), surroundings.folder)
  const shots = {
    route: [get, server.pid],
    tool: [tool, server.pid],
    bareGet: [{ ...get, url: bareGet.url }, bareGet.pid],
    barePost: [post(barePost.url, call(1)), barePost.pid],
    batch: [
      post(
        server.url,
        Array.from({ length: BATCH }, (_, id) => call(id)),
      ),
      server.pid,
    ],
    sdk: [post(sdk.url, call(1)), sdk.pid],
  } as const
  const turn = async (name: keyof typeof shots) =>
    (await takeTurn(generator, shots[name][0], shots[name][1])).perCpuSecond
  const rounds: Agents[] = []
  for (const name of Object.keys(shots)) await turn(name as keyof typeof shots)
  while (rounds.length < ROUNDS) {
    const [route, tool] = [await turn('route'), await turn('tool')]
    const [bareGet, barePost] = [await turn('bareGet'), await turn('barePost')]
    const [batch, bySdk] = [await turn('batch'), await turn('sdk')]
    rounds.push({
      toRoute: tool / route,
      bare: barePost / bareGet,
      toSdk: tool / bySdk,
      batch: (batch * BATCH) / tool,
    })
  }
  await Promise.all([server, bareGet, barePost, sdk].map((one) => one.stop()))
  const middle = (of: keyof Agents) => median(rounds.map((round) => round[of]))
  return {
    toRoute: middle('toRoute'),
    bare: middle('bare'),
    toSdk: middle('toSdk'),
    batch: middle('batch'),
  }
}

async function startSdk(answer: string, folder: string) {
  const path = join(folder, 'sdk-answer.json')
  await Bun.write(path, answer)
  const child = start(onServerCore([process.execPath, join(import.meta.dir, 'sdk-server.ts'), path]), {
    stdout: 'pipe',
  })
  const reader = child.stdout.getReader()
  const port = new TextDecoder().decode((await reader.read()).value).trim()
  return { url: `http://127.0.0.1:${port}`, pid: child.pid, stop: child.stop }
}
