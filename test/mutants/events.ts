import type { Mutant } from './mutant'

const EVENTS = 'test/modules/events'
const RSVPS = 'test/modules/rsvps'
const CHECKINS = 'test/modules/checkins'

export const mutants: Mutant[] = [
  {
    name: 'stranger-in-unlisted-group',
    file: 'src/modules/events/visible.ts',
    find: "if (!found || !(await mayKnow(tx, caller, found.event, found))) throw notFound('Event')",
    replace: "if (!found || found.event.status === 'draft') throw notFound('Event')",
    means: 'Anyone with an id sits down in a group that is not listed.',
    tests: [`${RSVPS}/rsvps.test.ts`],
  },
  {
    name: 'manual-checkin-tells-nobody',
    file: 'src/modules/checkins/enter.ts',
    find: "await emit(tx, 'checkin.created', {",
    replace: "if (method !== 'manual') await emit(tx, 'checkin.created', {",
    means: 'Whoever was let in by hand earns nothing, and no webhook hears of it.',
    tests: [`${CHECKINS}/attendees.test.ts`],
  },
  {
    name: 'published-at-overwritten',
    file: 'src/modules/events/manage/actions.ts',
    find: 'publishes && before.publishedAt === null &&',
    replace: 'publishes &&',
    means: 'An event that was taken back and published again is news once more in every feed.',
    tests: [`${EVENTS}/management.test.ts`],
  },
  {
    name: 'sequence-not-raised',
    file: 'src/modules/events/manage/actions.ts',
    find: '...(moves(fields) && { sequence: raiseSequence }),',
    replace: '',
    means: 'Calendars keep the old time of an event that was moved.',
    tests: [`${EVENTS}/management.test.ts`],
  },
  {
    name: 'sequence-not-raised-by-cancelling',
    file: 'src/modules/events/manage/lifecycle-actions.ts',
    find: 'sequence: raiseSequence,',
    replace: '',
    means: 'Calendars keep an event that was cancelled.',
    tests: [`${EVENTS}/management.test.ts`],
  },
]
