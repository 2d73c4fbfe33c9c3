import { join } from 'node:path'
import { Glob } from 'bun'
import type { Mutant } from '../../test/mutants/mutant'

export type Named = Mutant & { area: string }

const FOLDER = join(import.meta.dir, '../../test/mutants')

/** All mutants, or with `--only` those whose `area/name` has that prefix. */
export async function chooseMutants(arguments_: string[]): Promise<Named[]> {
  const at = arguments_.indexOf('--only')
  const only = at < 0 ? '' : (arguments_[at + 1] ?? '')
  const chosen = (await readMutants()).filter(({ area, name }) => `${area}/${name}`.startsWith(only))
  if (chosen.length > 0) return chosen
  console.error(`\nNo mutant is called ${only}.\n`)
  process.exit(1)
}

async function readMutants(): Promise<Named[]> {
  const files = [...new Glob('*.ts').scanSync(FOLDER)].filter((file) => file !== 'mutant.ts').sort()
  const areas = await Promise.all(
    files.map(async (file) => {
      const { mutants } = (await import(join(FOLDER, file))) as { mutants: Mutant[] }
      return mutants.map((mutant) => ({ ...mutant, area: file.replace('.ts', '') }))
    }),
  )
  return areas.flat()
}
