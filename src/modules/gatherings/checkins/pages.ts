import type { Caller } from '@/core/caller'
import { now } from '@/core/clock'
import { isAppError } from '@/core/errors'
import { db } from '@/db/client'
import { invoke } from '@/http/invoke'
import { pathNames } from '@/http/path-names'
import { pathOf, type Visit } from '@/http/visit'
import type { EventRow } from '@/modules/gatherings/events/queries'
import { visibleEvent } from '@/modules/gatherings/events/visible'
import { form } from '@/web/form'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { message } from '@/web/message'
import type { Words } from '@/words/words'
import { checkIn, readCheckin } from './actions'
import { demandKnown, doorState } from './availability'
import { PATH, PRINTED_PATH } from './codes'
import { doorPage } from './door-page'
import { findEntry } from './queries'

type Params = Record<string, string>

const namesOf = pathNames(readCheckin)

/** Shows the page behind a check-in code. It checks in only on submit, so previews and prefetches have no effect. */
export async function showDoor(visit: Visit, params: Params): Promise<Page> {
  try {
    return await doorFor(visit, namesOf(params).code as string)
  } catch (error) {
    if (isMissing(error)) return unknown(wordsFor(visit))
    throw error
  }
}

async function doorFor(visit: Visit, code: string): Promise<Page> {
  const { event, group } = await invoke(visit, readCheckin, () => ({ code }))
  const person = personOf(visit)
  const entry = demandKnown(await findEntry(db, code.toUpperCase(), person?.userId ?? null))
  const isPrinted = pathOf(visit.request.url).startsWith(PRINTED_PATH)
  const at = now()
  return doorPage({
    ...event,
    startTime: new Date(event.startTime),
    endTime: event.endTime === null ? null : new Date(event.endTime),
    groupName: group?.name ?? null,
    known: await knownTo(person, event.id),
    state: doorState(entry, at),
    checkedInAt: entry.checkedInAt,
    at,
    words: wordsFor(visit),
    person,
    address: `${isPrinted ? PRINTED_PATH : PATH}/${entry.code.code}`,
    method: isPrinted ? 'qr' : 'link',
  })
}

/** Only a browser session gets the check-in button. */
const personOf = ({ visitor }: Visit): Caller | null =>
  typeof visitor === 'object' && visitor.credential.kind === 'session' ? visitor : null

/** A code reveals less to strangers than the event page, which an unlisted group shows only to staff and attendees. */
async function knownTo(person: Caller | null, eventId: string): Promise<EventRow | null> {
  try {
    return (await visibleEvent(person, eventId)).event
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

const isMissing = (error: unknown) => isAppError(error) && error.appCode === 'not_found'

const unknown = ({ door, errors }: Words): Page =>
  message({
    status: 404,
    title: door.unknown,
    above: 404,
    text: door.unknownText,
    to: { href: '/', label: errors.goToFront },
  })

/** A refused check-in (already in, closed) shows the door page, which says why. */
export const enter = form(checkIn, {
  fields: { method: null },
  page: showDoor,
  done: ({ code }) => `${PATH}/${encodeURIComponent(String(code).toUpperCase())}`,
  ignoredErrors: ['conflict'],
})
