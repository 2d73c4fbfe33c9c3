import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { askerOf } from '@/core/caller'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { beginExport } from './begin'
import { presentExport, presentLast } from './present'
import { findLastExport } from './queries'
import { DataExport, LastExport } from './schema'

export const exportProfile = action({
  name: 'exportProfile',
  access: 'user',
  reads: true,
  summary: 'Get everything that is held about you',
  description:
    'One ZIP with your data as JSON, a page to read and your files. The first call begins it and a worker makes it: ask until it is `ready`. It is there for a day; a call after that begins another. An application gets no sessions, tokens, registered applications, webhooks, feed addresses, linked accounts, mails and changes of address; it may begin two in a day, apart from your five, and its export ends with your grant.',
  input: Type.Object({}),
  output: DataExport,
  errors: ['conflict'],
  run: async (caller) => presentExport(caller, await transaction((tx) => beginExport(tx, askerOf(caller)))),
})

/** For the page of it, which begins nothing by being looked at. */
export const readLastExport = action({
  name: 'readLastExport',
  access: 'session',
  summary: 'See how far your export has come',
  input: Type.Object({}),
  output: LastExport,
  errors: [],
  run: async (caller) => {
    const found = await findLastExport(db, askerOf(caller))
    return { last: found ? await presentLast(caller, found) : null }
  },
})
