import { median } from './median'

export const CONNECTIONS = 10
const SECONDS = 3
const ROUNDS = 3

/** How often our server did something in a second, and how often pgbench sent the statements of it. */
export type Write = { ours: number; pgbench: number; ratio: number }

export const hasPgbench = () => Bun.which('pgbench') !== null

/** Lets both do it in turn and takes the middle of what was found. */
export async function compareWrites(turn: {
  pgbench: (round: number) => Promise<number>
  ours: (round: number) => Promise<number>
}): Promise<Write> {
  const rounds: { ours: number; pgbench: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const pgbench = await turn.pgbench(round)
    rounds.push({ pgbench, ours: await turn.ours(round) })
  }
  return {
    ours: median(rounds.map(({ ours }) => ours)),
    pgbench: median(rounds.map(({ pgbench }) => pgbench)),
    ratio: median(rounds.map(({ ours, pgbench }) => ours / pgbench)),
  }
}

/** Times in a second that a script was run, over as many connections as our server has. */
export function runPgbench(
  databaseUrl: string,
  script: string,
  variables: Record<string, number> = {},
): number {
  const { stdout, stderr } = Bun.spawnSync([
    'pgbench',
    '-n',
    ...['-M', 'prepared'],
    ...['-c', String(CONNECTIONS)],
    ...['-j', '1'],
    ...['-T', String(SECONDS)],
    ...Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`]),
    ...['-f', script],
    databaseUrl,
  ])
  const found = /tps = ([\d.]+)/.exec(stdout.toString())
  if (!found || /ERROR|aborted/.test(stderr.toString()))
    throw new Error(`pgbench said: ${stderr.toString().slice(0, 300)}`)
  return Number(found[1])
}

/** Lets as many clients as there are connections ask one thing after the other; how many were done in a second. */
export async function askFor(ask: () => Promise<boolean>): Promise<number> {
  let done = 0
  const until = performance.now() + SECONDS * 1000
  const client = async () => {
    while (performance.now() < until) if (await ask()) done += 1
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, client))
  return done / SECONDS
}
