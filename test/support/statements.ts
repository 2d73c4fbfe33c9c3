import { statementCount } from '@/db/client'

/** What a call costs in statements. The least of several: the server also has things of its own to say. */
export async function statementsOf(call: () => Promise<unknown>, tries = 4): Promise<number> {
  const costs: number[] = []
  for (let i = 0; i < tries; i += 1) {
    const before = statementCount()
    await call()
    costs.push(statementCount() - before)
  }
  return Math.min(...costs)
}
