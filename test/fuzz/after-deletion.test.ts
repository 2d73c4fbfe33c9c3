import { expect, test } from 'bun:test'
import { call, post } from '../support/api'
import { makeAdmin, makeEvent, makeGroup } from '../support/make'
import { seededRandom } from '../support/random'
import { describedOperations, type Operation } from './operations'
import { sample } from './sample'

/** Sampled bodies do not always fit: rules say more than schemas. */
const TRIES = 30

const { operations, schemas } = await describedOperations()

/** What can be made and deleted again: `POST /things` and `DELETE /things/{id}`. */
const KINDS = operations.flatMap((create) => {
  const remove = operations.find(
    ({ method, path }) =>
      method === 'DELETE' &&
      path.startsWith(`${create.path}/{`) &&
      !path.slice(create.path.length + 2).includes('/'),
  )
  return create.method === 'POST' && remove ? [{ create, remove }] : []
})

test('there are kinds of things to delete', () => {
  expect(KINDS.length).toBeGreaterThan(6)
})

for (const { create, remove } of KINDS)
  test(`what came of POST ${create.path} is not there any more after it was deleted`, async () => {
    const dice = seededRandom()
    const { token, user } = await makeAdmin()
    const group = await makeGroup({}, user.id)
    const event = await makeEvent(group.id)
    const place = create.path
      .replace('{groupId}', group.id)
      .replace('{eventId}', event.id)
      .replace('{userId}', user.id)
    const made = await make(create, place)
    const { id, key, clientId, guestId, urlname } = made.body.data
    const name = clientId ?? key ?? guestId ?? id
    const at = (path: string) => path.replace(create.path, place).replace(/\{\w+\}/, name)
    const query = remove.query.some((parameter) => parameter.name === 'confirm') ? `?confirm=${urlname}` : ''
    expect((await call('DELETE', at(remove.path) + query, { token })).status).toBeLessThan(300)

    for (const operation of operations.filter(({ path }) => path.startsWith(remove.path))) {
      const path = at(operation.path).replace(/\{\w+\}/g, Bun.randomUUIDv7())
      // Nothing but what it needs, so that no rule about a field comes first.
      const json = operation.body && sample(operation.body.schema, schemas, { ...dice, chance: () => false })
      const answer = await call(operation.method, path + query, { token, json })
      const what = `${operation.method} ${operation.path}`
      expect([what, answer.status]).toEqual([what, 404])
    }

    async function make({ body }: Operation, path: string) {
      for (let i = 0; i < TRIES; i += 1) {
        const fields = body && (sample(body.schema, schemas, dice) as Record<string, unknown>)
        // Only a draft can be deleted; only a person who is there can be added.
        if (fields && 'title' in fields) fields.status = 'draft'
        if (fields && 'userId' in fields) fields.userId = (await makeAdmin()).user.id
        const answer = await post(path, { token, json: fields })
        if (answer.status === 201) return answer
      }
      throw new Error(`nothing could be made at ${path}`)
    }
  })
