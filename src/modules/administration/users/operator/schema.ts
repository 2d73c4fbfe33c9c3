import { Type } from '@sinclair/typebox'
import { orNull, ownUrl, wireId, wireTime } from '@/core/shapes'
import { mailAddress } from '@/modules/access/sign-in/addresses'

export const AdministratorInput = Type.Object({ email: mailAddress() })

export const AdministratorCreated = Type.Object({
  id: wireId(),
  username: orNull(Type.String()),
  isNew: Type.Boolean({ description: 'Nobody had this address before.' }),
  signInUrl: ownUrl('Signs them in once.'),
  expiresAt: wireTime(),
})
