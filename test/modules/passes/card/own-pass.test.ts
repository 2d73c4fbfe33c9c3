import { expect, test } from 'bun:test'
import { get } from '../../../support/api'
import { makeSession, makeUser } from '../../../support/make'
import { connect, makeTag } from '../fixtures'

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

test('an owner reads on a pass how many people they met by it, and in all', async () => {
  const { id: ownerId } = await makeUser()
  const session = await makeSession(ownerId)
  const [worn, fresh] = [await makeTag({ ownerId }), await makeTag({ ownerId })]
  for (const passId of [worn, worn, null]) await connect(ownerId, (await makeUser()).id, { passId })
  const met = async (id: string) => {
    const { text } = await get(`/pass/${id}`, { session, headers: HTML })
    return [...text.matchAll(/<dt>(Met [^<]*)<\/dt><dd>([^<]*)</g)].map(([, how, many]) => `${how}: ${many}`)
  }
  expect(await met(worn)).toEqual(['Met by this pass: 2 people', 'Met in all: 3 people'])
  expect(await met(fresh)).toEqual(['Met by this pass: 0 people', 'Met in all: 3 people'])
})
