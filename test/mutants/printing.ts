import type { Mutant } from './mutant'

const AREA = 'src/modules/passes/sheets'
const tests = ['test/modules/passes/sheets']

export const mutants: Mutant[] = [
  {
    name: 'name-never-wraps',
    file: `${AREA}/text/fit.ts`,
    find: 'single >= Math.min(place.single, place.largest) ||',
    replace: 'single > 0 ||',
    means: 'A long name is printed in one line, so small that nobody reads it.',
    tests,
  },
  {
    name: 'name-wraps-at-once',
    file: `${AREA}/text/fit.ts`,
    find: 'single >= Math.min(place.single, place.largest) ||',
    replace: 'single >= place.largest ||',
    means: 'A name that nearly fits is broken instead of set a little smaller.',
    tests,
  },
  {
    name: 'ink-out-of-its-place',
    file: `${AREA}/text/lines.ts`,
    find: 'line.width = Math.max(pen, right) - left',
    replace: 'line.width = pen / 2',
    means: 'Names run over the edge of the badge.',
    tests,
  },
  {
    name: 'boxes-in-silence',
    file: `${AREA}/text/runs.ts`,
    find: 'for (const character of characters) missing.add(character)',
    replace: '',
    means: 'A badge says � instead of a name, and nobody is told before it is printed.',
    tests,
  },
  {
    name: 'pictures-lost-in-silence',
    file: `${AREA}/text/runs.ts`,
    find: 'missing.add(cluster)',
    replace: 'void cluster',
    means: 'An emoji is left out of a name, and nobody is told.',
    tests,
  },
  {
    name: 'used-labels-printed-on',
    file: `${AREA}/draw.ts`,
    find: 'const place = (done + skipped) % perPage',
    replace: 'const place = done % perPage',
    means: 'A sheet of which labels were used is printed from its first label on.',
    tests,
  },
  {
    name: 'no-quiet-zone-on-paper',
    file: `${AREA}/designs/label.ts`,
    find: 'const quiet = QUIET_ZONE * module',
    replace: 'const quiet = module',
    means: 'Symbols stand in a corner of their place, and phones do not find them.',
    tests,
  },
  {
    name: 'read-backwards',
    file: `${AREA}/text/runs.ts`,
    find: 'cluster.level = levels[at] ?? 0',
    replace: 'cluster.level = 0',
    means: 'Arabic and Hebrew names are printed from left to right.',
    tests,
  },
  {
    name: 'words-in-the-wrong-order',
    file: `${AREA}/text/lines.ts`,
    find: 'level & 1 ? found.reverse() : found',
    replace: 'found',
    means: 'The words of an Arabic or Hebrew name stand in the wrong order.',
    tests,
  },
  {
    name: 'fonts-by-chance',
    file: `${AREA}/pdf/fonts.ts`,
    find: 'let rest = Bun.hash.crc32(cut)',
    replace: 'let rest = Bun.hash.crc32(cut) ^ (Math.random() * 2 ** 30)',
    means: 'The same sheet has other bytes each time, and no run can take over from another.',
    tests,
  },
]
