import type { Mutant } from './mutant'

const SETTINGS = 'test/site/settings.test.ts'

export const mutants: Mutant[] = [
  {
    name: 'picture-of-any-length',
    file: 'src/http/file-form.ts',
    find: '      if (file.size > bytesMax) throw payloadTooLarge(bytesMax)\n',
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
    file: 'src/site/parts/with-picture.ts',
    find: 'if (caller === null || !isOwnForm(before, caller))',
    replace: 'if (caller === null)',
    means: 'A form that was not made for this session uploads a picture.',
    tests: [SETTINGS],
  },
  {
    name: 'texts-sent-with-a-picture-once',
    file: 'src/http/file-form.ts',
    find: "if (isFirst) fields.push([part.name, ''])",
    replace: "if (isFirst && !fields.some(([name]) => name === part.name)) fields.push([part.name, ''])",
    means: 'Two links of a profile that is saved with a picture become one.',
    tests: [SETTINGS],
  },
  {
    name: 'picture-left-behind',
    file: 'src/modules/people/uploads/receive/by-form.ts',
    find: 'for (const path of Object.values<string>(paths)) await rm(path, { force: true }).catch(() => {})',
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
