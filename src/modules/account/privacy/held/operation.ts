import { auditLog } from '@/db/tables/administration'
import { outbox } from '@/db/tables/outbox'
import { holding, person } from './holding'

export const OPERATION = [
  holding({
    table: auditLog,
    of: { actor: person(auditLog.actorId), target: person(auditLog.targetId) },
    why: 'to show what administrators did, which nobody can take back',
    kept: 'always',
    erased: 'kept',
    shown: ['id', 'at', 'action', 'targetType', 'changes'],
    withheld: { actorId: 'others', targetId: 'others', requestId: 'machinery' },
  }),
  holding({
    table: outbox,
    of: {},
    why: 'to tell webhooks, mails, achievements and caches what happened',
    kept: { sweeps: ['domain events'] },
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
