import {
  oauthAccessTokens,
  oauthClients,
  oauthCodes,
  oauthFamilies,
  oauthGrants,
  oauthRefreshTokens,
} from '@/db/tables/oauth'
import { hanging, holding, person } from './holding'

const granted = person(oauthGrants.userId)
const family = hanging(oauthFamilies.grantId, oauthGrants.id, granted)

export const APPLICATIONS = [
  holding({
    table: oauthClients,
    of: { you: person(oauthClients.ownerId) },
    why: 'to let people know whose application asks them',
    kept: 'account',
    erased: 'deleted',
    shown: [
      'clientId',
      'name',
      'description',
      'redirectUris',
      'website',
      'logoUri',
      'policyUri',
      'tosUri',
      'authMethod',
      'scopes',
      'createdAt',
      'lastUsedAt',
    ],
    withheld: {
      ownerId: 'machinery',
      madeByGrant: 'machinery',
      secretHash: 'secret',
      registrationHash: 'secret',
    },
  }),
  holding({
    table: oauthGrants,
    of: { you: granted },
    why: 'to remember what you allowed an application',
    kept: 'account',
    erased: 'deleted',
    shown: ['id', 'clientId', 'scopes', 'declined', 'grantedAt', 'lastUsedAt'],
    withheld: { userId: 'machinery' },
    things: { clientId: 'app' },
  }),
  holding({
    table: oauthFamilies,
    of: { you: family },
    why: 'to end all tokens of one sign-in of an application together',
    kept: { sweeps: ['token families'] },
    erased: 'deleted',
    shown: ['id', 'grantId', 'scopes', 'createdAt'],
    withheld: { generation: 'machinery' },
  }),
  holding({
    table: oauthAccessTokens,
    of: { you: hanging(oauthAccessTokens.familyId, oauthFamilies.id, family) },
    why: 'to let an application in that you allowed',
    kept: { sweeps: ['access tokens'] },
    erased: 'deleted',
    shown: ['id', 'familyId', 'scopes', 'resource', 'createdAt', 'expiresAt'],
    withheld: { hash: 'secret' },
  }),
  holding({
    table: oauthRefreshTokens,
    of: { you: hanging(oauthRefreshTokens.familyId, oauthFamilies.id, family) },
    why: 'to give an application that you allowed its next token',
    kept: { sweeps: ['refresh tokens'] },
    erased: 'deleted',
    shown: ['familyId', 'generation', 'resource', 'expiresAt', 'usedAt'],
    withheld: { hash: 'secret' },
  }),
  holding({
    table: oauthCodes,
    of: { you: hanging(oauthCodes.familyId, oauthFamilies.id, family) },
    why: 'to hand an application its first token',
    kept: { sweeps: ['authorization codes'] },
    erased: 'deleted',
    shown: ['familyId', 'redirectUri', 'resource', 'expiresAt', 'usedAt'],
    withheld: { hash: 'secret', challenge: 'secret' },
  }),
]
