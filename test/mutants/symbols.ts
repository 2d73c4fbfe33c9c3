import type { Mutant } from './mutant'

const tests = ['test/modules/passes/symbols']

export const mutants: Mutant[] = [
  {
    name: 'printed-in-lower-case',
    file: 'src/modules/passes/passes/id.ts',
    find: '`${config.baseUrl}/PASS/${id}`.toUpperCase()',
    replace: '`${config.baseUrl}/PASS/${id}`',
    means: 'Symbols are larger than they need to be, and old phones do not read them.',
    tests,
  },
  {
    name: 'guesses-are-free',
    file: 'src/http/limits/misses.ts',
    find: '  if (!isNotFound(error)) throw error\n',
    replace: '  if (isNotFound !== null) throw error\n',
    means: 'Whoever invents ids is never told to stop.',
    tests,
  },
  {
    name: 'no-quiet-zone',
    file: 'src/modules/passes/symbols/png.ts',
    find: 'width / (size + 2 * QUIET_ZONE)',
    replace: 'width / (size + 2)',
    means: 'Phones do not find the symbol on a dark page.',
    tests,
  },
  {
    name: 'tag-of-any-length',
    file: 'src/modules/passes/symbols/ndef.ts',
    find: 'const BYTES_MAX = 100',
    replace: 'const BYTES_MAX = 255',
    means: 'Tags are minted that do not fit on the tags that people buy.',
    tests,
  },
]
