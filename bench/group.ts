import { type Comparison, compare, WrongAnswers } from './compare'
import type { Generator } from './load/generator'
import type { Row } from './rows'
import type { Seed } from './seed'
import type { Server } from './server'
import type { StatementCounter } from './statements'

/** What a row came to: a comparison, with its statements per request, or why there is none. */
export type Outcome = (Comparison & { statements: number }) | { failed: string }

export type Tools = { seed: Seed; generator: Generator; statements: StatementCounter; folder: string }

/** Measures every row on one server. */
export async function measure(rows: Row[], server: Server, tools: Tools): Promise<Map<Row, Outcome>> {
  const outcomes = new Map<Row, Outcome>()
  for (const row of rows) outcomes.set(row, await outcome(row, server, tools))
  return outcomes
}

async function outcome(row: Row, server: Server, tools: Tools): Promise<Outcome> {
  const { seed, generator, statements, folder } = tools
  try {
    const before = await statements.count()
    const comparison = await compare(row, server, seed, generator, folder)
    return { ...comparison, statements: ((await statements.count()) - before) / comparison.requests }
  } catch (error) {
    if (!(error instanceof WrongAnswers)) throw error
    return { failed: error.message }
  }
}
