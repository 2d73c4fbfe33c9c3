import type { Mutant } from './mutant'

const tests = ['test/cli/backup.test.ts']

export const mutants: Mutant[] = [
  {
    name: 'backup-not-written-down',
    file: 'src/cli/backup.ts',
    find: 'await recordBackup(db, at).catch(() => {})',
    replace: '',
    means: 'Every night there is a backup, and every day an alert that there is none.',
    tests,
  },
  {
    name: 'rows-of-several-moments',
    file: 'src/db/backup/dump.ts',
    find: 'begin isolation level repeatable read read only',
    replace: 'begin isolation level read committed read only',
    means: 'A backup that is taken while people write holds half of what they did.',
    tests,
  },
  {
    name: 'triggers-fire-again',
    file: 'src/db/backup/load.ts',
    find: 'disable trigger user',
    replace: 'enable trigger user',
    means: 'A restore counts everybody twice.',
    tests,
  },
  {
    name: 'triggers-stay-off',
    file: 'src/db/backup/load.ts',
    find: 'enable trigger user',
    replace: 'disable trigger user',
    means: 'After a restore nothing is counted any more.',
    tests,
  },
  {
    name: 'checksums-not-compared',
    file: 'src/backup/verify.ts',
    find: "if (text !== lines.join(''))",
    replace: "if (text === '')",
    means: 'A backup that rotted on its disk is called good.',
    tests,
  },
  {
    name: 'any-key',
    file: 'src/backup/key.ts',
    find: 'if (key === secretKey) return',
    replace: 'if (key !== undefined) return',
    means: 'A restored server cannot read the secrets that it holds, and nobody says so.',
    tests,
  },
  {
    name: 'restored-over-another',
    file: 'src/db/backup/empty-target.ts',
    find: '.length > 0)',
    replace: '.length < 0)',
    means: 'A restore into the wrong place is not explained.',
    tests,
  },
  {
    name: 'unfinished-restore-served',
    file: 'src/db/migrate/unfinished-restore.ts',
    find: 'if (found?.unfinished)',
    replace: 'if (found?.unfinished === null)',
    means: 'After a restore that was killed, the server begins an empty community in its place.',
    tests,
  },
  {
    name: 'restore-compares-nothing',
    file: 'src/db/backup/load.ts',
    find: 'await into.end()',
    replace: 'void into',
    means: 'The last table that is restored is empty.',
    tests,
  },
]
