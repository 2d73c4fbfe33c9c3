import { beforeAll, expect, test } from 'bun:test'
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import { EVENTS } from '@/core/domain-events'
import { SCOPE_NAMES } from '@/core/scopes'
import { get, type Json, post } from '../../../support/api'
import { tellWebhooks } from '../../../support/deliveries'
import { makeCaller } from '../../../support/make'
import { openReceiver } from '../../../support/receiver'
import { messagesOf } from '../webhooks/fixtures'
import { doEverything } from './everything'

const SHAPES = ['group', 'event', 'venue', 'photo', 'meetup']

/** What this world cannot make happen in passing; samples of it are checked all the same. */
const NOT_HERE = ['user.account_linked', 'upload.completed', 'webhook.disabled', 'achievement.unlocked']

const ajv = new Ajv2020({ strict: true, allErrors: true })
addFormats(ajv)
const validators = new Map<string, ValidateFunction>()

let token: string
let list: Json
beforeAll(async () => {
  token = (await makeCaller([...SCOPE_NAMES], { role: 'admin' })).token
  list = (await get('/schemas')).body
  for (const { name } of list.schemas) {
    const { status, headers, body } = await get(`/schemas/${name}`)
    expect([name, status, headers.get('content-type')]).toEqual([
      name,
      200,
      'application/schema+json; charset=utf-8',
    ])
    expect([body.$schema, body.$id]).toEqual([
      'https://json-schema.org/draft/2020-12/schema',
      `http://localhost/schemas/${name}`,
    ])
    validators.set(name, ajv.compile(body))
  }
})

/** What is wrong with a value, in the words of the validator. */
function faults(name: string, value: unknown) {
  const validate = validators.get(name)
  if (!validate) throw new Error(`there is no schema ${name}`)
  return validate(value)
    ? []
    : (validate.errors ?? []).map((error) => `${name}${error.instancePath} ${error.message}`)
}

test('every schema of the list is there under its address, and a strict validator takes it', () => {
  const names = list.schemas.map(({ name }: Json) => name)
  expect(names).toEqual([...SHAPES, ...Object.keys(EVENTS)])
  expect(list.version).toMatch(/^\d+\.\d+\.\d+$/)
  for (const { name, title, description, url } of list.schemas) {
    expect([name, url]).toEqual([name, `http://localhost/schemas/${name}`])
    expect([name, title.length > 0, description.length > 0]).toEqual([name, true, true])
  }
})

test('an unknown name gets the list of names', async () => {
  for (const name of ['nothing', 'EVENT', 'toString', '__proto__', 'constructor']) {
    const { status, body } = await get(`/schemas/${name}`)
    expect([name, status, body.available.length]).toEqual([name, 404, list.schemas.length])
    expect(Object.keys(body)).toEqual(['error', 'available'])
  }
})

test('a reader who has a schema, or the list, is not sent it again', async () => {
  for (const path of ['/schemas', '/schemas/event', '/schemas/rsvp.confirmed']) {
    const first = await get(path)
    const etag = first.headers.get('etag') as string
    expect(etag).toMatch(/^"[^"]+"$/)
    const again = await get(path, { headers: { 'if-none-match': etag } })
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
    expect((await get(path)).text).toBe(first.text)
  }
})

test('times, ids and addresses of ours have their format, and what may be null says so', async () => {
  const { properties } = (await get('/schemas/event')).body
  expect(properties.id).toMatchObject({ type: 'string', format: 'uuid' })
  expect(properties.dateTime).toMatchObject({ type: 'string', format: 'date-time' })
  expect(properties.endTime).toMatchObject({ type: ['string', 'null'], format: 'date-time' })
  expect(properties.eventUrl).toMatchObject({ type: ['string', 'null'], format: 'uri' })
  expect(properties.status).toMatchObject({ type: 'string', enum: ['draft', 'published', 'cancelled'] })
  const text = JSON.stringify(properties)
  expect([text.includes('$ref'), text.includes('nullable')]).toEqual([false, false])
})

test('answers and deliveries are valid, and other things are not', async () => {
  const hook = await post('/v1/developer/webhooks', { token, json: { url: openReceiver().url } })
  const { urlname, eventIds } = await doEverything(token)

  const venues: unknown[] = []
  for (const id of eventIds) {
    const event = (await get(`/v1/events/${id}`, { token })).body.data
    expect([id, faults('event', event), faults('meetup', event)]).toEqual([id, [], []])
    expect([faults('photo', event.photoUrl), faults('photo', event.group.photoUrl)]).toEqual([[], []])
    if (event.venue) venues.push(event.venue)
    expect(faults('event', { ...event, dateTime: 'tomorrow' })).toHaveLength(1)
    expect(faults('event', { ...event, venue: { city: 'Lisbon' } })).not.toEqual([])
    const { title: _, ...untitled } = event
    expect(faults('event', untitled)).toHaveLength(1)
  }
  expect(venues).toHaveLength(2)
  for (const venue of venues) expect(faults('venue', venue)).toEqual([])
  const listed = (await get(`/v1/events?group=${urlname}&cancelled=include`, { token })).body.data
  expect(listed.length).toBeGreaterThan(1)
  for (const item of listed) expect(faults('meetup', item)).toEqual([])
  const group = (await get(`/v1/groups/${urlname}`, { token })).body.data
  expect([faults('group', group), faults('photo', group.photoUrl)]).toEqual([[], []])
  expect(group.upcomingEvents.length).toBeGreaterThan(0)
  expect(faults('photo', 7)).not.toEqual([])

  await post(`/v1/developer/webhooks/${hook.body.data.id}/test`, { token, json: {} })
  await tellWebhooks()
  const messages = await messagesOf(hook.body.data.id)
  const seen = new Set(messages.map(({ eventType }) => eventType))
  expect(Object.keys(EVENTS).filter((type) => !seen.has(type) && !NOT_HERE.includes(type))).toEqual([])
  for (const { eventType, body } of messages) {
    const delivery = JSON.parse(body)
    expect([eventType, faults(eventType, delivery)]).toEqual([eventType, []])
    expect(faults(eventType, { ...delivery, data: {} })).not.toEqual([])
    expect(faults(eventType, { ...delivery, type: 'event.imagined' })).not.toEqual([])
  }
})

test('the samples that developers are shown are valid too', async () => {
  const { data } = (await get('/v1/developer/event-types', { token })).body
  expect(data).toHaveLength(Object.keys(EVENTS).length)
  for (const { type, sample, schemaUrl } of data)
    expect([type, faults(type, sample), schemaUrl]).toEqual([type, [], `http://localhost/schemas/${type}`])
})
