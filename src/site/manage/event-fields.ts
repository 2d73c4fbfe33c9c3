import { now } from '@/core/clock'
import { invalidField } from '@/core/errors'
import { refusals } from '@/core/refusals'
import type { Visit } from '@/http/visit'
import { readPreferences } from '@/modules/account/preferences/actions'
import { createEvent, listManagedEvents } from '@/modules/gatherings/organizing/actions'
import { description, ZONES } from '@/site/parts/fields'
import { deedForm } from '@/site/parts/press'
import { pictureField, withPictures } from '@/site/parts/with-picture'
import { ask } from '@/web/ask'
import { choice, line, moment, summary, tick } from '@/web/fields'
import { deed, forms, preview, type Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import type { Words } from '@/words/words'
import type { Managed } from './event-page'
import { eventPath, groupContext, groupPage } from './group-page'

const PLACE = ['name', 'address', 'city'] as const
const MORE_PLACE = ['postalCode', 'state', 'country', 'latitude', 'longitude'] as const
const LENGTHS = {
  name: 200,
  address: 300,
  city: 100,
  postalCode: 20,
  state: 100,
  country: 100,
  latitude: 20,
  longitude: 20,
}
const TYPES = ['physical', 'online', 'hybrid'] as const

export const eventLabels = ({ manage: { fields, picture } }: Words) => ({
  title: fields.title,
  startTime: fields.startTime,
  endTime: fields.endTime,
  timezone: fields.timezone,
  description: fields.description,
  eventType: fields.eventType,
  'venue.name': fields.venue.name,
  'venue.address': fields.venue.address,
  'venue.postalCode': fields.venue.postalCode,
  'venue.city': fields.venue.city,
  'venue.state': fields.venue.state,
  'venue.country': fields.venue.country,
  'venue.latitude': fields.venue.latitude,
  'venue.longitude': fields.venue.longitude,
  onlineUrl: fields.onlineUrl,
  maxAttendees: fields.maxAttendees,
  tags: fields.tags,
  photoUrl: picture,
})

/** `known` is the zone to prefill. Without one a script fills in the browser's zone, and times are shown in UTC. */
export function eventFields(words: Words, known: string | undefined, event?: Managed, sent?: Sent): Html {
  const zone = known ?? 'UTC'
  const { manage } = words
  const labels = eventLabels(words)
  const place = (part: keyof typeof LENGTHS) =>
    line(
      {
        name: `venue.${part}`,
        label: manage.fields.venue[part],
        value: event?.venue?.[part],
        attributes: html` maxlength="${LENGTHS[part]}" dir="auto"`,
      },
      sent,
    )
  return html`${line({ name: 'title', label: labels.title, value: event?.title, attributes: html` required maxlength="200" dir="auto"` }, sent)}
<div class="pair"><div>${moment({ name: 'startTime', label: labels.startTime, zone, value: event?.dateTime, attributes: html` required` }, sent)}</div>
<div>${moment({ name: 'endTime', label: labels.endTime, zone, value: event?.endTime }, sent)}</div></div>
${line({ name: 'timezone', label: labels.timezone, hint: manage.hints.timezone, value: known, attributes: html` required maxlength="64"${!known && !sent && html` data-own-zone`} list="zones" autocomplete="off" spellcheck="false"` }, sent)}${ZONES}
${description({ value: event?.description, rows: 8, max: 10_000 }, words, sent)}
${choice({ name: 'eventType', label: labels.eventType, value: event?.eventType ?? 'physical', options: TYPES.map((value) => ({ value, label: manage.types[value] })) }, sent)}
<fieldset class="choice"><legend><strong>${manage.where}</strong></legend>
${PLACE.map(place)}
<details><summary>${manage.morePlace}</summary>
<div class="pair">${MORE_PLACE.map((part) => html`<div>${place(part)}</div>`)}</div></details></fieldset>
${line({ name: 'onlineUrl', label: labels.onlineUrl, hint: manage.hints.onlineUrl, type: 'url', value: event?.onlineUrl, attributes: html` maxlength="2048" placeholder="https://"` }, sent)}
${line({ name: 'maxAttendees', label: labels.maxAttendees, hint: manage.hints.maxAttendees, type: 'number', value: event?.maxAttendees, attributes: html` min="1" max="1000000" inputmode="numeric"` }, sent)}
${line({ name: 'tags', label: labels.tags, hint: manage.hints.tags, value: event?.tags.join(', '), attributes: html` dir="auto"` }, sent)}
${pictureField({ name: 'photoUrl', label: labels.photoUrl, saved: event?.photoUrl }, words, sent)}`
}

/** Reads the form of an event, which may hold a picture. */
export const read = withPictures({ photoUrl: 'event-photo' })

/** Publishing an event in the past needs a confirmation: the date is usually a typing error. */
export function refusePast({ status, startTime }: Record<string, unknown>, values: URLSearchParams): void {
  const isPast = typeof startTime === 'string' && new Date(startTime) <= now()
  if (status === 'published' && isPast && !values.has('past'))
    throw invalidField('startTime', refusals.startInPast)
}

/** Appears after an error in the start time, and stays once it was ticked. */
export const confirmPastCheckbox = ({ manage }: Words, sent?: Sent): Html | false | undefined =>
  (sent?.problem.field === 'startTime' || sent?.values.has('past')) &&
  tick({ name: 'past', label: manage.publishAnyway }, sent)

export async function showNewEvent(visit: Visit, params: Params, sent?: Sent): Promise<Page> {
  const context = await groupContext(visit, params)
  const { words, caller } = context
  const { manage } = words
  if (!context.isManager)
    return groupPage(context, '', manage.newEvent, html`<p class="notice">${manage.managersOnly}</p>`)
  // Most groups stay in one zone.
  const { data } = await ask(visit, listManagedEvents, params, { limit: 1 })
  const known = data[0]?.timezone ?? (await ask(visit, readPreferences)).timeZone ?? undefined
  const page = groupPage(
    context,
    '',
    manage.newEvent,
    html`<div class="text"><h2 class="first">${manage.newEvent}</h2>
${summary(sent)}${deedForm(caller, {
  deed: 'create',
  hasFile: true,
  body: html`${eventFields(words, known, undefined, sent)}
${confirmPastCheckbox(words, sent)}
<div class="buttons"><button class="button" name="status" value="published">${manage.publish}</button>
<button class="button plain" name="status" value="draft">${manage.keepAsDraft}</button></div>`,
})}</div>`,
  )
  return { ...page, islands: ['suggest'] }
}

export const newEventForms = forms({
  preview: preview(showNewEvent, read),
  create: deed(createEvent, {
    fields: (words) => ({ ...eventLabels(words), status: null }),
    page: showNewEvent,
    read,
    prepare: refusePast,
    done: ({ groupId }, event) =>
      `${eventPath(String(groupId), event?.id ?? '')}?done=${event?.status === 'draft' ? 'drafted' : 'published'}`,
  }),
})
