import { now } from '@/core/clock'
import { isAppError } from '@/core/errors'
import { db } from '@/db/client'
import { type CachedBody, cachedBody } from '@/http/encodings'
import { groupToInvalidate } from '@/modules/gatherings/events/cache'
import type { EventWithGroup } from '@/modules/gatherings/events/queries'
import { isOver } from '@/modules/gatherings/events/time'
import { visibleEvent } from '@/modules/gatherings/events/visible'
import { cache } from '@/outbox/cache'
import { readPublic } from '@/outbox/replicas'
import type { GroupName } from './addresses'
import { drawCarousel, drawMissing, drawNextEvent } from './draw'
import { findGroupsNamed, listNextEvents } from './queries'
import type { Theme, Widget, WidgetRequest } from './request'

/** A rendered document with what invalidates it: a change in its groups, or the end of an event. */
type CachedDocument = { body: CachedBody; groupIds: readonly string[] | null; endsAt: number }

const CAROUSEL_MAX = 10

/** The largest document (ten events with maximal texts, all quotes) takes 100 KB in its three encodings, a typical one 15 KB. */
const DOCUMENTS_MAX = 300
const SELECTIONS_MAX = 1000

/** The listed groups of a URL, and their part of the cache key; null means all. */
type Selection = { groups: readonly GroupName[] | null; key: string }

const selectionOf = (groups: readonly GroupName[] | null): Selection => ({
  groups,
  key: JSON.stringify(groups),
})
const [ALL, NONE] = [selectionOf(null), selectionOf([])]

/** Resolves group names first, so that unknown names share one cached document. */
const selections = cache<Selection>({
  max: SELECTIONS_MAX,
  load: async (names) => {
    const found = await findGroupsNamed(db, names.split(','))
    const groups = found.map(({ id, urlname, name }) => ({ id, urlname, name }))
    return selectionOf(groups.sort((one, other) => (one.urlname < other.urlname ? -1 : 1)))
  },
  drops: ({ type }, drop) => {
    if (type === 'group.created' || type === 'group.updated' || type === 'group.deleted') drop.all()
  },
})

const documents = cache<CachedDocument | null>({
  max: DOCUMENTS_MAX,
  endsAt: (document) => document?.endsAt ?? 0,
  load: (key) => {
    const [widget, theme, eventId] = key.split(' ', 3) as [Widget, Theme, string]
    if (eventId !== NO_EVENT) return makeEvent(theme, eventId)
    return makeList(widget, theme, JSON.parse(key.slice(key.indexOf(NO_EVENT) + 2)))
  },
  drops: (message, drop) => {
    const groupId = groupToInvalidate(message)
    if (groupId !== undefined)
      drop.where((document) => document?.groupIds === null || document?.groupIds.includes(groupId) === true)
  },
})

const NO_EVENT = '*'

/** Async only if not cached, as `sendWidget` is. */
export function documentFor(request: WidgetRequest): CachedBody | Promise<CachedBody> {
  const selection = selectionFor(request)
  return selection instanceof Promise
    ? selection.then((known) => documentOf(request, known))
    : documentOf(request, selection)
}

function selectionFor({ groups }: WidgetRequest): Selection | Promise<Selection> {
  if (groups === null) return ALL
  return groups.length === 0 ? NONE : selections.get(groups.join())
}

function documentOf(
  { widget, theme, eventId }: WidgetRequest,
  selection: Selection,
): CachedBody | Promise<CachedBody> {
  const key = `${widget} ${theme} ${eventId ?? NO_EVENT} ${selection.key}`
  const made = documents.get(key)
  return made instanceof Promise
    ? made.then((document) => document?.body ?? missing(theme))
    : (made?.body ?? missing(theme))
}

async function makeList(widget: Widget, theme: Theme, groups: Selection['groups']): Promise<CachedDocument> {
  const groupIds = groups === null ? null : groups.map(({ id }) => id)
  const limit = widget === 'carousel' ? CAROUSEL_MAX : 1
  const found = groupIds?.length === 0 ? [] : await readPublic((on) => listNextEvents(on, groupIds, limit))
  const selection = { groups, theme }
  const text =
    widget === 'carousel' ? drawCarousel(selection, found) : drawNextEvent(selection, found[0] ?? null)
  return cached(text, groupIds, Math.min(...found.map(({ event }) => event.overAt.getTime())))
}

/** Null for missing and hidden events, which are not cached. */
async function makeEvent(theme: Theme, eventId: string): Promise<CachedDocument | null> {
  let found: EventWithGroup
  try {
    found = await visibleEvent(null, eventId)
  } catch (error) {
    if (isAppError(error) && error.appCode === 'not_found') return null
    throw error
  }
  const { event, group } = found
  const over = isOver(event, now())
  const state = event.status === 'cancelled' ? 'cancelled' : over ? 'over' : 'upcoming'
  const text = drawNextEvent({ groups: [group], theme }, found, state)
  return cached(text, [group.id], over ? Number.POSITIVE_INFINITY : event.overAt.getTime())
}

const cached = (text: string, groupIds: readonly string[] | null, endsAt: number): CachedDocument => ({
  body: cachedBody(new TextEncoder().encode(text)),
  groupIds,
  endsAt,
})

const missingByTheme = new Map<Theme, CachedBody>()

function missing(theme: Theme): CachedBody {
  let body = missingByTheme.get(theme)
  if (body === undefined) {
    body = cachedBody(new TextEncoder().encode(drawMissing(theme)))
    missingByTheme.set(theme, body)
  }
  return body
}
