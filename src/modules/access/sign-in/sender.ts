import { isRefused } from '@/db/conflicts'
import { checkClient } from '@/modules/access/oauth/authorize/check-client'
import type { Client } from '@/modules/access/oauth/queries'
import { readAddress } from './addresses'

const QUESTION = '/oauth/authorize?'

/** The application that sent a person to sign in, and the account that it expects (`login_hint`). */
export type Sender = { client: Client; email: string | undefined }

/** The application that waits behind `returnTo`; nothing when there is none, or none that we know. */
export async function senderOf(returnTo: string): Promise<Sender | undefined> {
  if (!returnTo.startsWith(QUESTION)) return undefined
  try {
    const { client, parameters } = await checkClient(returnTo.slice(QUESTION.length))
    return { client, email: readAddress(parameters.get('login_hint')) ?? undefined }
  } catch (error) {
    // A fault of the authorization request is shown when the person gets there.
    if (isRefused(error)) return undefined
    throw error
  }
}
