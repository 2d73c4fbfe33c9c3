import type { Mutant } from './mutant'

const HERE = 'src/site/events'
const EVENT = 'test/site/event.test.ts'
const LIST = 'test/site/events.test.ts'
const WHEN = 'test/web/when.test.ts'

export const mutants: Mutant[] = [
  {
    name: 'script-ends-early',
    file: 'src/web/head.ts',
    find: '[<>&\\u2028\\u2029]',
    replace: '[&\\u2028\\u2029]',
    means: 'A title that says </script> goes on as markup of our page.',
    tests: [EVENT],
  },
  {
    name: 'guests-forgotten',
    file: `${HERE}/event/page.ts`,
    find: ', ...guests.map(({ id }) => id)]',
    replace: ']',
    means: 'A person who takes another name keeps the old one on the pages of events.',
    tests: [EVENT],
  },
  {
    name: 'draft-for-anyone',
    file: `${HERE}/event/view.ts`,
    find: "found?.event.status === 'draft' ? found.event.groupId : undefined",
    replace: 'undefined',
    means: 'Those who run a group cannot look at the page of a draft.',
    tests: [EVENT],
  },
  {
    name: 'own-seat-for-all',
    file: `${HERE}/event/seat.ts`,
    find: "if (phase !== 'open' && phase !== 'full') return null",
    replace: '',
    means: 'Strangers are asked to come to what was cancelled or is over.',
    tests: [EVENT],
  },
  {
    name: 'month-of-utc',
    file: `${HERE}/list/month.ts`,
    find: 'localDay(new Date(event.dateTime), event.timezone).startsWith(month)',
    replace: "localDay(new Date(event.dateTime), 'UTC').startsWith(month)",
    means: 'An event stands in the month in which it is in London.',
    tests: [LIST],
  },
  {
    name: 'list-hears-nothing',
    file: `${HERE}/list/page.ts`,
    find: 'about: [...CHANGES, ',
    replace: 'about: [',
    means: 'A list does not show what was published after it was made.',
    tests: [LIST],
  },
  {
    name: 'feed-of-everything',
    file: `${HERE}/list/page.ts`,
    find: "addressesOf({ kind: 'events', filters: shown.filters })",
    replace: "addressesOf({ kind: 'events', filters: {} })",
    means: 'Whoever subscribes to a filtered list gets everything.',
    tests: [LIST],
  },
  {
    name: 'midnight-missed',
    file: 'src/web/when.ts',
    find: 'return off < HALF_A_DAY_MS ? next - off : next + DAY_MS - off',
    replace: 'return next',
    means: 'On the day on which clocks are put forward, pages say "tomorrow" of today for an hour.',
    tests: [WHEN],
  },
]
