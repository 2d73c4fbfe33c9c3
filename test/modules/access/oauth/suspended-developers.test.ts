import { expect, test } from 'bun:test'
import { get, patch, post } from '../../../support/api'
import { makeAdmin, makeSession, makeUser } from '../../../support/make'
import {
  asClient,
  askRefresh,
  askToken,
  authorizePath,
  decide,
  makeClient,
  makeCode,
  makePublicClient,
  makeTokens,
  requestOf,
  sealOf,
} from './fixtures'

async function makeDeveloper() {
  const developer = await makeUser()
  const { token } = await makeAdmin()
  const suspend = async (suspended: boolean) =>
    (await patch(`/v1/admin/users/${developer.id}`, { token, json: { suspended } })).status
  return { developer, suspend }
}

for (const [kind, make] of [
  ['a confidential', makeClient],
  ['a public', makePublicClient],
] as const)
  test(`${kind} client is unknown while its developer is suspended, and its tokens are dead`, async () => {
    const { developer, suspend } = await makeDeveloper()
    const [client, stranger] = [await make({ ownerId: developer.id }), await make()]
    const held = await makeTokens(client)
    const waiting = await makeCode(client)
    const session = await makeSession((await makeUser()).id)
    const asked = await get(authorizePath(requestOf(client)), { session })
    expect((await get('/v1/me', { token: held.access })).status).toBe(200)
    expect(await suspend(true)).toBe(200)

    expect((await get('/v1/me', { token: held.access })).status).toBe(401)
    const unknown = { ...stranger, clientId: `fm_app_${'0'.repeat(32)}` }
    const tell = ({ status, text }: { status: number; text: string }) => [
      status,
      // What each of them sent, and the id of its request.
      text.replace(/fm_app_\w+|[\w-]{36}/g, ''),
    ]
    for (const [shown, same] of [
      [await askToken(client, waiting.use), await askToken(unknown, waiting.use)],
      [await askRefresh(client, held.refresh), await askRefresh(unknown, held.refresh)],
      [
        await post('/oauth/introspect', asClient(client, { token: held.access })),
        await post('/oauth/introspect', asClient(unknown, { token: held.access })),
      ],
      [
        await get(authorizePath(requestOf(client)), { session }),
        await get(authorizePath(requestOf(unknown)), { session }),
      ],
    ] as const)
      expect(tell(shown)).toEqual(tell(same))
    // A consent page that was opened before.
    const late = await decide(session, sealOf(asked))
    expect([late.status, late.headers.get('location')]).toEqual([400, null])

    // What people allowed it was never taken back, so it works again.
    expect(await suspend(false)).toBe(200)
    expect((await get('/v1/me', { token: held.access })).status).toBe(200)
    expect((await askRefresh(client, held.refresh)).status).toBe(200)
  })

test('an ownerless client is unaffected by suspensions', async () => {
  const { suspend } = await makeDeveloper()
  const { access } = await makeTokens(await makeClient())
  expect(await suspend(true)).toBe(200)
  expect((await get('/v1/me', { token: access })).status).toBe(200)
})
