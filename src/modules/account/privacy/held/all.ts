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
    why: 'to record what administrators did, permanently',
    retention: 'always',
    erased: 'kept',
    shown: ['id', 'at', 'action', 'targetType', 'changes'],
    withheld: { actorId: 'others', targetId: 'others', requestId: 'machinery' },
  }),
  holding({
    table: outbox,
    of: {},
    why: 'to notify webhooks, emails, achievements and caches',
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
    why: 'to show your card to people who tap or scan it',
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
  achievements: 'definitions of achievements',
  badge_tally: 'counts',
  badges: 'definitions of badges',
  board_days: 'days with a stored leaderboard',
  board_tally: 'counts',
  calendar_host: 'a name of this server',
  checkin_codes: 'check-in codes of events',
  claim_links: 'codes to claim badges',
  ended_groups: 'deleted groups whose rows are being deleted',
  event_notices: 'pending and sent notices of events',
  event_words: 'search words of events',
  events: 'public data of a group',
  feed_versions: 'when a feed last changed, by a hash of its address',
  groups: 'public data of a group',
  heartbeats: 'heartbeats of workers',
  installation: 'the use of the database, and its last backup',
  mover_lists: 'when movers were counted',
  mover_marks: 'positions in a list',
  object_sequences: 'sequence numbers',
  pass_designs: 'designs of passes',
  pass_strangers: 'counts',
  people_tally: 'counts',
  reactions: 'pending reactions to domain events',
  sign_in_errands: 'the page to return to after a sign-in at a provider, without the person',
  unfilled_events: 'events with pending waitlist promotions',
  unsettled_badges: 'badges whose awards are being updated',
}
