import { clientEndpoint } from '../endpoint'
import { needed } from '../parameters'
import { OAuthRefusal } from '../refusal'
import { exchange } from './exchange'
import { refresh } from './refresh'

export const token = clientEndpoint(async (client, form) => {
  switch (needed(form, 'grant_type')) {
    case 'authorization_code':
      return exchange(client, form)
    case 'refresh_token':
      return refresh(client, form)
    default:
      throw new OAuthRefusal(
        'unsupported_grant_type',
        'grant_type must be authorization_code or refresh_token',
      )
  }
})
