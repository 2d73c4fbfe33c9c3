import { connections, passes } from '@/db/tables/passes'
import { holding, person } from './holding'

export const PASSES = [
  holding({
    table: passes,
    of: { you: person(passes.ownerId) },
    why: 'to show your card to whoever taps or scans it',
    kept: 'account',
    erased: 'unlinked',
    shown: ['id', 'type', 'label', 'designId', 'action', 'autoFollow', 'isActive', 'claimedAt', 'createdAt'],
    withheld: { ownerId: 'machinery' },
    things: { designId: 'design' },
  }),
  holding({
    table: connections,
    of: { owner: person(connections.ownerId), visitor: person(connections.visitorId) },
    why: 'to remember whom you met by a pass',
    kept: { sweeps: ['connections of strangers'], otherwise: 'account' },
    erased: 'deleted',
    shown: ['id', 'createdAt'],
    shownTo: { passId: 'owner', ownerRemovedAt: 'owner', visitorRemovedAt: 'visitor' },
    withheld: { ownerId: 'others', visitorId: 'others', strangerHash: 'secret' },
    people: { ownerId: 'met', visitorId: 'met' },
  }),
]
