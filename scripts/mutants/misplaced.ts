import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { applied } from './applies'
import type { Named } from './choose'

const inTree = (path: string) => join(import.meta.dir, '../..', path)
const tree = {
  has: (path: string) => existsSync(inTree(path)),
  read: (file: string) => readFileSync(inTree(file), 'utf8'),
}

/** A sentence for each mutant whose source text or tests have moved. Runs nothing. */
export const misplaced = (mutants: Named[]): string[] =>
  mutants.flatMap((mutant) => {
    const found = applied(mutant, tree)
    return 'fault' in found ? [`${mutant.area}/${mutant.name}: ${found.fault}`] : []
  })
