import type { Mutant } from './mutant'

const NOTICES = 'src/modules/gatherings/notices'
const TESTS = 'test/modules/gatherings/notices'

export const mutants: Mutant[] = [
  {
    name: 'given-up-called-off',
    file: 'src/modules/gatherings/feeds/calendar/invitation.ts',
    find: `(entry: string) => entry.replace(/\\r\\nSTATUS:[A-Z]+/, '')`,
    replace: '(entry: string) => entry',
    means: 'Whoever gives up a seat has an entry that says the event is on, in a mail that takes it out.',
    tests: [`${TESTS}/seats.test.ts`],
  },
  {
    name: 'unlisted-told-after',
    file: `${NOTICES}/place.ts`,
    find: ' || (event.answer === null && !found.isListed)',
    replace: '',
    means: 'Whoever left an unlisted group’s event still gets letters about it.',
    tests: [`${TESTS}/seats.test.ts`],
  },
  {
    name: 'moved-twice-told-half',
    file: `${NOTICES}/queries.ts`,
    find: 'coalesce(${eventNotices.movedFrom}, excluded.moved_from)',
    replace: 'excluded.moved_from',
    means:
      'An event that was moved twice is told from where nobody knew it, and one moved back is told at all.',
    tests: [`${TESTS}/changes.test.ts`],
  },
  {
    name: 'every-move-told-at-once',
    file: 'src/mail/sparingly.ts',
    find: 'Math.max(gatherMs, waitAfter(received.get(userId) ?? 0))',
    replace: 'gatherMs',
    means: 'Whoever moves an event every hour mails its guests every hour.',
    tests: [`${TESTS}/changes.test.ts`],
  },
  {
    name: 'waiting-letter-replaced',
    file: 'src/mail/sparingly.ts',
    find: '      keepsWaiting: true,\n',
    replace: '',
    means: 'Whoever moves an event every minute keeps its guests from ever hearing of it.',
    tests: [`${TESTS}/changes.test.ts`],
  },
  {
    name: 'reminded-of-what-was-just-told',
    file: `${NOTICES}/reminder.ts`,
    find: ' || (await isFresh(place))',
    replace: '',
    means: 'Whoever takes a seat on the day before is reminded of it a minute later.',
    tests: [`${TESTS}/reminders.test.ts`],
  },
  {
    name: 'reminded-at-old-time',
    file: `${NOTICES}/reminder.ts`,
    find: ' || place.event.startTime.toISOString() !== startTime',
    replace: '',
    means: 'An event that was moved is announced for the next day when it is not.',
    tests: [`${TESTS}/reminders.test.ts`],
  },
]
