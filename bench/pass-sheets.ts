import { join } from 'node:path'
import { median } from './median'
import { start } from './processes'

export const PASS_SHEETS = { name: 'pass-sheets: 1,000 badges as PDF', most: 6 }

const ROUNDS = 7

/** Milliseconds of the processor for empty pages by a PDF library, and for badges by us. */
export type PassSheets = { empty: number; badges: number }

export async function measurePassSheets(say: (what: string) => void): Promise<PassSheets> {
  say('1,000 badges as PDF')
  const found = { empty: [] as number[], badges: [] as number[] }
  // In turns, so that a disturbed machine disturbs both.
  for (let round = 0; round < ROUNDS; round += 1)
    for (const what of ['empty', 'badges'] as const) found[what].push(await inChild(what))
  return { empty: median(found.empty), badges: median(found.badges) }
}

async function inChild(what: string): Promise<number> {
  const child = start([process.execPath, join(import.meta.dir, 'sheet-rendering.ts'), what], {
    stdout: 'pipe',
  })
  return Number(await new Response(child.stdout).text())
}
