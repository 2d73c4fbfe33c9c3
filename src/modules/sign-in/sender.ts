import { isAppError } from '@/core/errors'
import { knock } from '@/modules/oauth/authorize/door'
import type { Client } from '@/modules/oauth/queries'
import { readAddress } from './addresses'

const QUESTION = '/oauth/authorize?'

/** Who sent a person to sign in, and as whom they are expected (`login_hint`). */
export type Sender = { client: Client; email: string | undefined }

/** The application that waits behind `returnTo`; nothing when there is none, or none that we know. */
export async function senderOf(returnTo: string): Promise<Sender | undefined> {
  if (!returnTo.startsWith(QUESTION)) return undefined
  try {
    const { client, parameters } = await knock(returnTo.slice(QUESTION.length))
    return { client, email: readAddress(parameters.get('login_hint')) ?? undefined }
  } catch (error) {
    // What is wrong with the question is said when it is put.
    if (isAppError(error)) return undefined
    throw error
  }
}
