import { action } from '@/core/action'
import { pageOf } from '@/core/page'
import { iso } from '@/core/shapes'
import { db } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { type EntryRow, listEntries, NEWEST_FIRST } from './queries'
import { AuditEntry, AuditLogInput } from './schema'

export const listAuditLog = action({
  name: 'listAuditLog',
  access: 'admin',
  reads: true,
  summary: 'Read the audit log',
  description: 'Newest first. Entries are never changed or deleted.',
  input: AuditLogInput,
  output: pageOf(AuditEntry),
  run: (_caller, { actor, action, from, to, ...input }) =>
    keysetPage(
      {
        list: 'audit-log',
        filters: { actor, action, from, to },
        input,
        order: NEWEST_FIRST,
        rows: (after) => listEntries(db, { actor, action, from: moment(from), to: moment(to) }, after),
      },
      presentEntry,
    ),
})

const moment = (time: string | undefined) => (time === undefined ? undefined : new Date(time))

const presentEntry = ({ entry, ...names }: EntryRow): AuditEntry => ({
  ...entry,
  at: iso(entry.at),
  ...names,
})
