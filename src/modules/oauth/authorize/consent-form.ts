import type { Caller } from '@/core/caller'
import { now } from '@/core/clock'
import { badRequest } from '@/core/errors'
import { signer } from '@/http/signed'

const TEN_MINUTES_MS = 10 * 60 * 1000

const forms = signer('consent')

/** What a person was asked: the whole request, and the scopes that the page listed. */
export type Question = { query: string; shown: readonly string[] }

/** A question, sealed for this session: nobody can put another one under the same answer. */
export const sealConsent = async ({ query, shown }: Question, { credential }: Caller): Promise<string> =>
  (await forms.sign({ query, shown: shown.join(' '), session: credential.id }, TEN_MINUTES_MS)).token

export async function openConsent(sealed: string | undefined, { credential }: Caller): Promise<Question> {
  const opened = await forms.open(sealed ?? '')
  if (opened?.value.session !== credential.id || opened.expiresAt <= now())
    throw badRequest(
      'This question is too old, or was not put to you: go back to the application and begin again.',
    )
  const { query = '', shown = '' } = opened.value
  return { query, shown: shown.split(' ') }
}
