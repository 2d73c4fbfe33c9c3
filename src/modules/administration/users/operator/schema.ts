import { Type } from '@sinclair/typebox'
import { line } from '@/core/fields'
import { orNull, ownUrl, wireId, wireTime } from '@/core/shapes'
import { mailAddress } from '@/modules/access/sign-in/addresses'
import { CreateTokenRequest } from '@/modules/access/tokens/schema'

export const AdministratorInput = Type.Object({ email: mailAddress() })

export const AdministratorCreated = Type.Object({
  id: wireId(),
  username: orNull(Type.String()),
  isNew: Type.Boolean({ description: 'Nobody had this address before.' }),
  signInUrl: ownUrl('Signs them in once.'),
  expiresAt: wireTime(),
})

export const TokenForInput = Type.Object({
  ...CreateTokenRequest.properties,
  person: line(1, 254, { description: 'The mail address, the username or the id of a person.' }),
})
