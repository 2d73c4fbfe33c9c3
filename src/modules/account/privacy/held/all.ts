import { auditLog } from '@/db/tables/administration'
import { outbox } from '@/db/tables/outbox'
import { connections, passes } from '@/db/tables/passes'
import { ACCESS } from './access'
import { ACCOUNT } from './account'
import { APPLICATIONS } from './applications'
import { COMMUNITY } from './community'
import { DEVELOPERS } from './developers'
import { type Holding, holding, person } from './holding'
import { PEOPLE } from './people'
import { RECOGNITION } from './recognition'

const OPERATION = [
  holding({
    table: auditLog,
    of: { actor: person(auditLog.actorId), target: person(auditLog.targetId) },
    why: 'to show what administrators did, which nobody can take back',
    retention: 'always',
    erased: 'kept',
    shown: ['id', 'at', 'action', 'targetType', 'changes'],
    withheld: { actorId: 'others', targetId: 'others', requestId: 'machinery' },
  }),
  holding({
    table: outbox,
    of: {},
    why: 'to tell webhooks, mails, achievements and caches what happened',
    retention: { sweeps: ['domain events'] },
    erased: 'aged',
    withheld: {
      id: 'machinery',
      type: 'machinery',
      payload: 'machinery',
      sequence: 'machinery',
      urgency: 'machinery',
      createdAt: 'machinery',
      xid: 'machinery',
      relayedAt: 'machinery',
      tries: 'machinery',
      retryAt: 'machinery',
    },
    leftOut: 'what happened in the last days, by ids: each of these is in the table that it changed',
  }),
]

const PASSES = [
  holding({
    table: passes,
    of: { you: person(passes.ownerId) },
    why: 'to show your card to whoever taps or scans it',
    retention: 'account',
    erased: 'unlinked',
    shown: ['id', 'type', 'label', 'designId', 'action', 'autoFollow', 'isActive', 'claimedAt', 'createdAt'],
    withheld: { ownerId: 'machinery' },
    things: { designId: 'design' },
  }),
  holding({
    table: connections,
    of: { owner: person(connections.ownerId), visitor: person(connections.visitorId) },
    why: 'to remember whom you met by a pass',
    retention: { sweeps: ['connections of strangers'], otherwise: 'account' },
    erased: 'deleted',
    shown: ['id', 'createdAt'],
    shownTo: { passId: 'owner', ownerRemovedAt: 'owner', visitorRemovedAt: 'visitor' },
    withheld: { ownerId: 'others', visitorId: 'others', strangerHash: 'secret' },
    people: { ownerId: 'met', visitorId: 'met' },
  }),
]

/** Every table with personal data. A table or column that is neither here nor below fails a test. */
export const HELD: readonly Holding[] = [
  ...ACCOUNT,
  ...ACCESS,
  ...APPLICATIONS,
  ...PEOPLE,
  ...COMMUNITY,
  ...RECOGNITION,
  ...PASSES,
  ...DEVELOPERS,
  ...OPERATION,
]

/** Tables without personal data, with what they hold instead. */
export const WITHOUT_PERSONAL_DATA: Record<string, string> = {
  achievements: 'what there is to achieve',
  badge_tally: 'counts',
  badges: 'what there is to be given',
  board_days: 'which days are written down',
  board_tally: 'counts',
  calendar_host: 'a name of this server',
  checkin_codes: 'codes at the door of an event',
  claim_links: 'codes with which anyone takes a badge',
  ended_groups: 'deleted groups whose rows go',
  event_notices: 'what the guests of an event are told, and were',
  event_words: 'words of events, to search',
  events: 'what a group shows to all',
  feed_versions: 'when a feed last changed, by a hash of its address',
  groups: 'what a group shows to all',
  heartbeats: 'which workers live',
  installation: 'for what the database is used, and its last backup',
  mover_lists: 'when movers were counted',
  mover_marks: 'places in a list',
  object_sequences: 'numbers',
  pass_designs: 'how passes look',
  pass_strangers: 'counts',
  people_tally: 'counts',
  reactions: 'what is still to be done about what happened',
  sign_in_errands: 'the page to which somebody goes back from a provider, and not who',
  unfilled_events: 'events with free seats to give',
  unsettled_badges: 'badges whose awards follow',
}
