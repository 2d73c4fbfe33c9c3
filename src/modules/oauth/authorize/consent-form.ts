import type { Caller } from '@/core/caller'
import { now } from '@/core/clock'
import { badRequest } from '@/core/errors'
import { signer } from '@/http/signed'

const TEN_MINUTES_MS = 10 * 60 * 1000

const forms = signer('consent')

/** The whole request, sealed for this session: nobody can put another question under the same answer. */
export const sealConsent = async (query: string, { credential }: Caller): Promise<string> =>
  (await forms.sign({ query, session: credential.id }, TEN_MINUTES_MS)).token

/** The request that the person was asked about. */
export async function openConsent(sealed: string | undefined, { credential }: Caller): Promise<string> {
  const opened = await forms.open(sealed ?? '')
  if (opened?.value.session !== credential.id || opened.expiresAt <= now())
    throw badRequest(
      'This question is too old, or was not put to you: go back to the application and begin again.',
    )
  return opened.value.query as string
}
