import type { Mutant } from './mutant'

const NOTIFICATIONS = ['test/modules/account/notifications']
const PAGES = 'src/modules/account/notifications/unsubscribe-pages.ts'

export const mutants: Mutant[] = [
  {
    name: 'opening-stops',
    file: PAGES,
    find: `  if ((await findReader(db, userId)) === undefined) throw nobody()`,
    replace: `  if (!(await setSwitches(db, userId, [{ kind, isOn: false }]))) throw nobody()`,
    means: 'A program that looks into a mail switches off what its reader wants.',
    tests: NOTIFICATIONS,
  },
  {
    name: 'press-wants-a-form',
    file: PAGES,
    find: 'isForm(visit.request) && (await readFormPairs(visit.request)).has',
    replace: '(await readFormPairs(visit.request)).has',
    means: 'The button of a mail program that sends a form with parts stops nothing.',
    tests: NOTIFICATIONS,
  },
  {
    name: 'undo-stops',
    file: PAGES,
    find: `.has('undo')`,
    replace: `.has('redo')`,
    means: 'Whoever stopped mails by mistake cannot take it back.',
    tests: NOTIFICATIONS,
  },
  {
    name: 'link-of-another',
    file: 'src/mail/unsubscribe.ts',
    find: '.update(`unsubscribe\\n${kind}\\n${userId}`)',
    replace: '.update(`unsubscribe\\n${kind}`)',
    means: 'Whoever has one mail switches off the mails of others.',
    tests: NOTIFICATIONS,
  },
  {
    name: 'link-of-another-kind',
    file: 'src/mail/unsubscribe.ts',
    find: '.update(`unsubscribe\\n${kind}\\n${userId}`)',
    replace: '.update(`unsubscribe\\n${userId}`)',
    means: 'The link of one kind of mail switches off any other.',
    tests: NOTIFICATIONS,
  },
  {
    name: 'deleted-conflicts',
    file: 'src/modules/account/notifications/actions.ts',
    find: 'if (!(await setSwitches(tx, userId, switches))) throw unauthorized(true)',
    replace: 'await setSwitches(tx, userId, switches), void unauthorized',
    means: 'A credential of a deleted person is told that something was changed.',
    tests: NOTIFICATIONS,
  },
]
