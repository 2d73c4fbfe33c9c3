import type { Mutant } from './mutant'

const AREA = 'src/modules/account/privacy/export'
const TESTS = ['test/modules/account/privacy/export.test.ts']

export const mutants: Mutant[] = [
  {
    name: 'hidden-people-named',
    file: `${AREA}/rows-queries.ts`,
    find: "    naming === 'public'\n      ? full(users.isPublic)",
    replace: "    naming === 'public'\n      ? sql`true`",
    means: 'Whoever exports their data reads the names of people who hid from them.',
    tests: TESTS,
  },
  {
    name: 'put-aside-and-named',
    file: `${AREA}/rows-queries.ts`,
    find: 'then ${full(connections.ownerRemovedAt)} is null else',
    replace: 'then true else',
    means: 'Somebody whom a person put out of their list is in their export.',
    tests: TESTS,
  },
  {
    name: 'surprise-told',
    file: `${AREA}/rows-queries.ts`,
    find: 'EXPORTED_IF.get(table), ',
    replace: '',
    means: 'An export tells of hidden achievements before they are reached.',
    tests: TESTS,
  },
  {
    name: 'revoked-token-still-fetches',
    file: `${AREA}/queries.ts`,
    find: '        isAlive(credential),\n',
    replace: '',
    means: 'A token that was taken back because it was stolen still fetches everything about a person.',
    tests: TESTS,
  },
  {
    name: 'suspended-fetch',
    file: `${AREA}/queries.ts`,
    find: '        isNull(users.suspendedAt),\n',
    replace: '',
    means: 'Whoever is suspended still fetches what they had asked for.',
    tests: TESTS,
  },
  {
    name: 'kept-for-somebody-who-left',
    file: `${AREA}/queries.ts`,
    find: 'eq(dataExports.id, id), isNotNull(dataExports.userId), isNull(dataExports.file), isThere()',
    replace: 'eq(dataExports.id, id), isNull(dataExports.file), isThere()',
    means:
      'Somebody deletes their account while their export is written, and the file stays until the next sweep.',
    tests: TESTS,
  },
  {
    name: 'an-application-gets-it-all',
    file: `${AREA}/archive.ts`,
    find: '!leftOut && (terms.isWhole || !isPrivate)',
    replace: '!leftOut',
    means: 'An application reads where a person is signed in, and their other accounts.',
    tests: TESTS,
  },
  {
    name: 'out-of-the-folder',
    file: `${AREA}/archive.ts`,
    find: ".replace(/[^\\p{L}\\p{M}\\p{N}_-]+/gu, '-')",
    replace: '',
    means: 'A file whose name leads out of its folder is unpacked over something else.',
    tests: TESTS,
  },
  {
    name: 'one-for-every-call',
    file: `${AREA}/actions.ts`,
    find: 'if (last && !hasFailed(last)) return last',
    replace: 'if (last && last.made.file !== null) return last',
    means: 'Whoever asks how far their export is begins another one each time.',
    tests: TESTS,
  },
  {
    name: 'without-end',
    file: `${AREA}/actions.ts`,
    find: '>= most',
    replace: '>= 1000 * most',
    means: 'An export that fails is begun again all day, and fills the queue.',
    tests: TESTS,
  },
  {
    name: 'applications-use-up-the-exports',
    file: `${AREA}/queries.ts`,
    find: 'and(isAskedBy(asker), gt(dataExports.createdAt',
    replace: 'and(eq(dataExports.userId, asker.userId), gt(dataExports.createdAt',
    means: 'Applications of a person leave them no export of their own that day.',
    tests: TESTS,
  },
]
