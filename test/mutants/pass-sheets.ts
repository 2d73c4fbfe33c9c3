import type { Mutant } from './mutant'

const AREA = 'src/modules/gatherings/pass-sheets'
const TESTS = 'test/modules/gatherings/pass-sheets'

export const mutants: Mutant[] = [
  {
    name: 'two-runs-two-files',
    file: `${AREA}/queries.ts`,
    find: 'isNotNull(passSheets.eventId), isNull(passSheets.file))',
    replace: 'isNotNull(passSheets.eventId))',
    means:
      'A run whose lease ran out replaces the file of the next one, whose object then belongs to nobody.',
    tests: [`${TESTS}/files.test.ts`],
  },
  {
    name: 'an-ended-sheet-comes-back',
    file: `${AREA}/queries.ts`,
    find: 'and(eq(passSheets.id, id), isNotNull(passSheets.eventId), isNull',
    replace: 'and(eq(passSheets.id, id), isNull',
    means: 'Somebody deletes their account while a sheet is drawn, and the file with their name is kept.',
    tests: [`${TESTS}/files.test.ts`],
  },
  {
    name: 'former-staff-fetch-sheets',
    file: `${AREA}/queries.ts`,
    find: "or(is(users.role, 'admin'), isNotNull(groupMembers.id)),",
    replace: '',
    means: 'Whoever left the staff still gets the names of everyone who comes.',
    tests: [`${TESTS}/files.test.ts`],
  },
  {
    name: 'sheets-of-other-groups',
    file: `${AREA}/queries.ts`,
    find: 'and(eq(passSheets.id, id), eq(events.groupId, groupId), isThere())',
    replace: 'and(eq(passSheets.id, id), isThere())',
    means: 'Staff of one group read the sheets of every other.',
    tests: [`${TESTS}/orders.test.ts`],
  },
  {
    name: 'names-outlive-their-account',
    file: 'src/modules/account/privacy/erase.ts',
    find: '  await endSheetsOf(tx, id)\n',
    replace: '',
    means: 'The name of somebody who deleted their account can be downloaded for a week.',
    tests: [`${TESTS}/files.test.ts`],
  },
  {
    name: 'every-click-is-a-sheet',
    file: `${AREA}/place-order.ts`,
    find: 'if (twin) return twin',
    replace: 'if (twin && !userId) return twin',
    means: 'Somebody who clicks five times has five sheets made.',
    tests: [`${TESTS}/orders.test.ts`],
  },
  {
    name: 'sheets-fill-the-disk',
    file: `${AREA}/jobs.ts`,
    find: '      await demandFreeSpace(1)\n      await keep',
    replace: '      await keep',
    means: 'Sheets take the room that STORAGE_KEEP_FREE leaves to the database.',
    tests: [`${TESTS}/files.test.ts`],
  },
  {
    name: 'a-full-disk-draws-in-circles',
    file: `${AREA}/jobs.ts`,
    find: 'if (error instanceof StorageFull) explainStorage(error)',
    replace: '',
    means: 'A sheet for which there is no room is drawn five times, and nobody is told why.',
    tests: [`${TESTS}/files.test.ts`],
  },
  {
    name: 'doctor-misses-lost-sheets',
    file: `${AREA}/files/doctor.ts`,
    find: 'if (object === null) found.missing.push(wrong)',
    replace: 'if (object === null) return',
    means: 'Sheets whose files are lost are well to the operator, and 404 to organizers.',
    tests: ['test/cli/storage.test.ts'],
  },
]
