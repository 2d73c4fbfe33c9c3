import { record, startBare } from './answer'
import { cpuSeconds } from './cpu'
import { VISITORS } from './crowd'
import type { Generator, Shot, Volley } from './load/generator'
import { median } from './median'
import type { Row } from './rows'
import type { Seed } from './seed'
import type { Server } from './server'

export const ROUNDS = 7
export const ROUND_SECONDS = 1
const WARM_UP_SECONDS = 5

export type Comparison = {
  bare: number
  route: number
  ratio: number
  /** The same per second of processor time, which other programs on the machine disturb less. */
  cpuRatio: number
  /** How many requests the route got, for whoever counts something per request. */
  requests: number
}

/** A row that was not answered as it should be: its speed means nothing. */
export class WrongAnswers extends Error {}

/** Machines are shared and their speed changes from second to second: bare server and route take short turns. */
export async function compare(
  row: Row,
  server: Server,
  seed: Seed,
  generator: Generator,
  folder: string,
): Promise<Comparison> {
  const shot = shotAt(server.url, row, seed)
  const answer = await record(shot)
  if (answer.status !== shot.status) throw new WrongAnswers(`it answers ${answer.status}, not ${shot.status}`)
  const bare = await startBare(answer, folder, row.isFile)
  const turnOfBare = () => takeTurn(generator, shotAt(bare.url, row, seed), bare.pid)
  const turnOfRoute = () => takeTurn(generator, shot, server.pid)
  try {
    await turnOfBare()
    const warmUp = row.isCrowd ? await crowdIn(generator, shot) : await turnOfRoute()
    const rounds: Round[] = []
    while (rounds.length < ROUNDS) rounds.push({ bare: await turnOfBare(), route: await turnOfRoute() })
    return summed(rounds, warmUp)
  } finally {
    await bare.stop()
  }
}

/** Lets everybody of a crowd come once. */
async function crowdIn(generator: Generator, shot: Shot): Promise<Volley> {
  let requests = 0
  for (;;) {
    const volley = checked(await generator.fire(shot, WARM_UP_SECONDS))
    requests += volley.requests
    if (requests >= VISITORS) return { ...volley, requests }
  }
}

type Turn = Volley & { perCpuSecond: number }
type Round = { bare: Turn; route: Turn }

export async function takeTurn(generator: Generator, shot: Shot, pid: number): Promise<Turn> {
  const before = cpuSeconds(pid)
  const volley = checked(await generator.fire(shot, ROUND_SECONDS))
  return { ...volley, perCpuSecond: volley.requests / (cpuSeconds(pid) - before) }
}

/** Only turns side by side are compared, and of their ratios the middle one counts. */
const summed = (rounds: Round[], warmUp: Volley): Comparison => ({
  bare: median(rounds.map(({ bare }) => bare.perSecond)),
  route: median(rounds.map(({ route }) => route.perSecond)),
  ratio: median(rounds.map(({ bare, route }) => route.perSecond / bare.perSecond)),
  cpuRatio: median(rounds.map(({ bare, route }) => route.perCpuSecond / bare.perCpuSecond)),
  requests: rounds.reduce((sum, { route }) => sum + route.requests, warmUp.requests),
})

export const pathOf = ({ request: { path } }: Row, seed: Seed) =>
  typeof path === 'string' ? path : path(seed)

export function shotAt(origin: string, row: Row, seed: Seed): Shot {
  const { request, status = 200 } = row
  const { method = 'GET', headers, body, vary } = request
  return { url: origin + pathOf(row, seed), method, headers: headers?.(seed) ?? {}, body, vary, status }
}

export function checked(volley: Volley): Volley {
  if (volley.wrong > 0) throw new WrongAnswers(`${volley.wrong} of ${volley.requests} answers were wrong`)
  if (volley.requests === 0) throw new WrongAnswers('nothing was answered')
  return volley
}
