import type { Named } from './choose'
import type { Lane } from './lane'

export type Verdict = {
  mutant: Named
  outcome: 'killed' | 'survived' | 'does not apply'
  /** The test that failed, or why the mutant could not be tried. */
  by: string
}

/** Tries every mutant, a lane each at a time. First the same tests must pass without any. */
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

/** Whatever fails anyway notices nothing. */
async function demandControl(mutants: Named[], lane: Lane): Promise<void> {
  const tests = [...new Set(mutants.flatMap((mutant) => mutant.tests))].filter(lane.has)
  const control = await lane.run(tests)
  if (!control.passed)
    throw new Error(
      `The tests fail without any mutant (${control.noticedBy ?? 'none ran'}): mend them first.`,
    )
}

async function tryOne(mutant: Named, lane: Lane): Promise<Verdict> {
  const { file, find, replace, tests } = mutant
  const missing = tests.find((path) => !lane.has(path))
  if (missing) return { mutant, outcome: 'does not apply', by: `there is no ${missing}` }
  const text = lane.has(file) ? lane.read(file) : ''
  const places = text.split(find).length - 1
  if (places !== 1)
    return { mutant, outcome: 'does not apply', by: `its text stands ${places} times in ${file}` }
  const mutated = text.replace(find, () => replace)
  const fault = file.endsWith('.ts') && syntaxFault(mutated)
  if (fault) return { mutant, outcome: 'does not apply', by: `it is no TypeScript: ${fault}` }
  const { passed, noticedBy } = await lane.run(tests, { [file]: mutated })
  return passed
    ? { mutant, outcome: 'survived', by: mutant.means }
    : { mutant, outcome: 'killed', by: noticedBy ?? 'nothing starts' }
}

function syntaxFault(text: string): string | undefined {
  try {
    new Bun.Transpiler({ loader: 'ts' }).transformSync(text)
  } catch (error) {
    return String(error).split('\n')[0]
  }
}
