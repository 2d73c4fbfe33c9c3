import { expect, test } from 'bun:test'
import { db } from '@/db/client'
import { countAppsOf, insertApp } from '@/modules/access/developer-apps/queries'
import { newClientId } from '@/modules/access/oauth/secrets'
import { get, post } from '../../../support/api'
import { makeCaller } from '../../../support/make'
import { countStatuses } from '../../../support/three'
import { makeClient } from './fixtures'

const APPS = '/v1/developer/apps'
const json = { name: 'One more', redirectUris: ['https://app.example.org/cb'] }

async function developerWith(apps: number) {
  const { user, token } = await makeCaller(['developer'])
  await Promise.all(Array.from({ length: apps }, () => makeClient({ ownerId: user.id })))
  return { user, token }
}

test('a person has at most fifty applications, however fast they ask', async () => {
  const { token } = await developerWith(48)
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(APPS, { token, json })))
  expect(countStatuses(answers.map(({ status }) => status))).toEqual({ 201: 2, 409: 18 })
  expect(answers.find(({ status }) => status === 409)?.body).toEqual({
    error: 'You have 50 applications already: delete one first',
    code: 'conflict',
  })
  expect((await get(APPS, { token })).body.data.apps).toHaveLength(50)
})

test('control: without the lock on their owner, counting first lets too many in', async () => {
  const { user } = await developerWith(48)
  let counted = 0
  const everyoneCounted = Promise.withResolvers<void>()
  const careless = () =>
    db.transaction(async (tx) => {
      const room = (await countAppsOf(tx, user.id)) < 50
      counted += 1
      if (counted === 5) everyoneCounted.resolve()
      await everyoneCounted.promise
      if (room)
        await insertApp(tx, {
          clientId: newClientId(),
          ownerId: user.id,
          name: 'One more',
          redirectUris: json.redirectUris,
          authMethod: 'none',
        })
    })
  await Promise.all([1, 2, 3, 4, 5].map(careless))
  expect(await countAppsOf(db, user.id)).toBe(53)
})
