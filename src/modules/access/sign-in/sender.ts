import { isAppError } from '@/core/errors'
import { checkClient } from '@/modules/access/oauth/authorize/check-client'
import type { Client } from '@/modules/access/oauth/queries'
import { readAddress } from './addresses'

const QUESTION = '/oauth/authorize?'

/** Who sent a person to sign in, and as whom they are expected (`login_hint`). */
export type Sender = { client: Client; email: string | undefined }

/** The application that waits behind `returnTo`; nothing when there is none, or none that we know. */
export async function senderOf(returnTo: string): Promise<Sender | undefined> {
  if (!returnTo.startsWith(QUESTION)) return undefined
  try {
    const { client, parameters } = await checkClient(returnTo.slice(QUESTION.length))
    return { client, email: readAddress(parameters.get('login_hint')) ?? undefined }
  } catch (error) {
    // What is wrong with the question is said when it is put.
    if (isAppError(error)) return undefined
    throw error
  }
}
