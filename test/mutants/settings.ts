import type { Mutant } from './mutant'

const SETTINGS = 'test/site/settings.test.ts'

export const mutants: Mutant[] = [
  {
    name: 'picture-of-any-length',
    file: 'src/http/file-form.ts',
    find: '        if (file.size > bytesMax) throw payloadTooLarge(bytesMax)\n',
    replace: '',
    means: 'A form fills the disk.',
    tests: [SETTINGS],
  },
  {
    name: 'picture-cut-at-a-boundary',
    file: 'src/http/file-form.ts',
    find: 'Math.max(0, held.length - delimiter.length + 1)',
    replace: 'held.length',
    means: 'A boundary that comes in two pieces becomes a part of the file.',
    tests: ['test/http/file-form.test.ts'],
  },
  {
    name: 'picture-by-any-form',
    file: 'src/site/parts/take-picture.ts',
    find: 'if (!isOwnForm(fields, caller))',
    replace: 'if (fields === null)',
    means: 'A form that was not made for this session changes a picture.',
    tests: [SETTINGS],
  },
  {
    name: 'picture-from-another-site',
    file: 'src/site/parts/take-picture.ts',
    find: '  demandSameSite(visit.request)\n',
    replace: '',
    means: 'Whom another site makes send a picture is told to load the page, and to send it once more.',
    tests: [SETTINGS],
  },
  {
    name: 'picture-left-behind',
    file: 'src/modules/people/uploads/receive/by-form.ts',
    find: 'await rm(path, { force: true }).catch(() => {})',
    replace: '',
    means: 'Every refused picture stays on the disk.',
    tests: [SETTINGS],
  },
  {
    name: 'other-sessions-of-everyone',
    file: 'src/modules/access/sessions/queries.ts',
    find: 'and(eq(sessions.userId, userId), ne(sessions.id, id))',
    replace: 'ne(sessions.id, id)',
    means: 'Whoever signs out elsewhere signs everyone out.',
    tests: [SETTINGS],
  },
]
