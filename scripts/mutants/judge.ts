import { applied } from './applies'
import type { Named } from './choose'
import type { Lane } from './lane'

export type Verdict = {
  mutant: Named
  outcome: 'killed' | 'survived' | 'does not apply'
  /** The test that failed, or why the mutant could not run. */
  by: string
}

/** Runs all mutants, one per lane at a time. First, the same tests must pass without a mutant. */
export async function judge(mutants: Named[], lanes: Lane[], hasControl: boolean): Promise<Verdict[]> {
  if (hasControl) await demandControl(mutants, lanes[0] as Lane)
  const verdicts: Verdict[] = []
  const waiting = [...mutants]
  await Promise.all(
    lanes.map(async (lane) => {
      for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
        const verdict = await tryOne(mutant, lane)
        console.log(`${verdict.outcome.padEnd(14)} ${mutant.area}/${mutant.name}`)
        verdicts.push(verdict)
      }
    }),
  )
  return verdicts
}

/** A test that fails without the mutant detects nothing. */
async function demandControl(mutants: Named[], lane: Lane): Promise<void> {
  const tests = [...new Set(mutants.flatMap((mutant) => mutant.tests))].filter(lane.has)
  const control = await lane.run(tests)
  if (!control.passed)
    throw new Error(
      `The tests fail without any mutant (${control.noticedBy ?? 'none ran'}): mend them first.`,
    )
}

async function tryOne(mutant: Named, lane: Lane): Promise<Verdict> {
  const found = applied(mutant, lane)
  if ('fault' in found) return { mutant, outcome: 'does not apply', by: found.fault }
  const { passed, noticedBy } = await lane.run(mutant.tests, { [mutant.file]: found.text })
  return passed
    ? { mutant, outcome: 'survived', by: mutant.means }
    : { mutant, outcome: 'killed', by: noticedBy ?? 'nothing starts' }
}
