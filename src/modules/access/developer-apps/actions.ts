import { Type } from '@sinclair/typebox'
import { explainEnded, holdAccess } from '@/auth/ended-credential'
import { hashSecret } from '@/auth/secrets'
import { config } from '@/config/config'
import { action } from '@/core/action'
import { askerOf } from '@/core/caller'
import { conflict, invalidField, notFound } from '@/core/errors'
import { Success } from '@/core/page'
import { refusals } from '@/core/refusals'
import { iso } from '@/core/shapes'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { endClients } from '@/modules/access/oauth/end-clients'
import { redirectFault } from '@/modules/access/oauth/redirect-uris'
import { newClientId, newClientSecret } from '@/modules/access/oauth/secrets'
import { usePictures } from '@/modules/people/uploads/use'
import { emit } from '@/outbox/emit'
import { appPictures } from './pictures'
import {
  type AppRow,
  demandQuotaForApp,
  findApp,
  holdApp,
  insertApp,
  listAppsOf,
  own,
  replaceSecret,
  updateApp,
} from './queries'
import {
  appChange,
  CreateAppRequest,
  clientId,
  OAuthApp,
  OAuthAppCreated,
  OAuthAppSecret,
  OAuthApps,
} from './schema'

/** Names the first redirect URI that cannot be registered, with the reason. */
function demandRedirects(uris: readonly string[]): void {
  for (const [index, uri] of uris.entries()) {
    const fault = redirectFault(uri)
    if (fault) throw invalidField(`redirectUris.${index}`, fault)
  }
}

const presentApp = ({ authMethod, ...row }: AppRow): OAuthApp => ({
  ...row,
  isPublicClient: authMethod === 'none',
  createdAt: iso(row.createdAt),
})

const AppParams = Type.Object({ clientId })

export const listApps = action({
  name: 'listApps',
  access: 'developer',
  reads: true,
  summary: 'List your applications',
  description: 'An application sees only those that it registered for you.',
  input: Type.Object({}),
  output: OAuthApps,
  run: async (caller) => ({ apps: (await listAppsOf(db, askerOf(caller))).map(presentApp) }),
})

export const getApp = action({
  name: 'getApp',
  access: 'developer',
  reads: true,
  summary: 'Get one of your applications',
  input: AppParams,
  output: OAuthApp,
  errors: ['not_found'],
  run: async (caller, input) => presentApp(found(await findApp(db, askerOf(caller), input.clientId))),
})

export const createApp = action({
  name: 'createApp',
  access: 'developer',
  summary: 'Register an application',
  description:
    `The response contains the secret, which cannot be read again. At most ${config.quotas.apps} applications per person. ` +
    'Applications that another application registered for you are deleted when you revoke its access.',
  input: CreateAppRequest,
  output: OAuthAppCreated,
  errors: ['conflict'],
  secret: true,
  run: (caller, { isPublicClient, ...fields }) => {
    const { userId } = caller
    demandRedirects(fields.redirectUris)
    const clientSecret = isPublicClient ? '' : newClientSecret()
    return transaction(async (tx) => {
      await holdAccess(tx, caller)
      await demandQuotaForApp(tx, userId)
      const row = {
        clientId: newClientId(),
        ownerId: userId,
        madeByGrant: askerOf(caller).grantId,
        ...(await usePictures(tx, userId, appPictures, fields)),
        authMethod: isPublicClient ? ('none' as const) : ('client_secret_basic' as const),
        secretHash: isPublicClient ? null : hashSecret(clientSecret),
      }
      await insertApp(tx, row).catch(explainEnded)
      await emit(tx, 'app.created', { clientId: row.clientId, userId })
      return { ...presentApp(found(await findApp(tx, askerOf(caller), row.clientId))), clientSecret }
    })
  },
})

export const changeApp = action({
  name: 'changeApp',
  access: 'developer',
  summary: 'Change one of your applications',
  input: Type.Object({ clientId, ...appChange }),
  output: OAuthApp,
  errors: ['not_found'],
  run: (caller, { clientId: id, ...change }) => {
    demandRedirects(change.redirectUris ?? [])
    return transaction(async (tx) => {
      await holdApp(tx, askerOf(caller), id)
      const shown = await usePictures(tx, caller.userId, appPictures, change)
      return presentApp(found(await updateApp(tx, askerOf(caller), id, shown)))
    })
  },
})

export const removeApp = action({
  name: 'removeApp',
  access: 'developer',
  summary: 'Delete one of your applications',
  description: 'Revokes all grants and tokens of the application at once.',
  input: AppParams,
  output: Success,
  errors: ['not_found'],
  run: (caller, input) =>
    transaction(async (tx) => {
      const ended = await endClients(tx, own(askerOf(caller), input.clientId))
      if (ended.length === 0) throw notFound('Application')
      return { success: true as const }
    }),
})

export const regenerateAppSecret = action({
  name: 'regenerateAppSecret',
  access: 'developer',
  summary: "Replace an application's secret",
  description:
    'The response contains the new secret, which cannot be read again. The old one is invalid at once.',
  input: AppParams,
  output: OAuthAppSecret,
  errors: ['not_found', 'conflict'],
  secret: true,
  run: (caller, input) =>
    transaction(async (tx) => {
      const clientSecret = newClientSecret()
      if (!(await replaceSecret(tx, askerOf(caller), input.clientId, hashSecret(clientSecret)))) {
        found(await findApp(tx, askerOf(caller), input.clientId))
        throw conflict(refusals.publicClient)
      }
      return {
        clientId: input.clientId,
        clientSecret,
        message: 'Keep this secret: it is not shown again. The one before it no longer works.',
      }
    }),
})

function found(row: AppRow | undefined): AppRow {
  if (!row) throw notFound('Application')
  return row
}
