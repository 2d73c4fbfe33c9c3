import type { Caller } from '@/core/caller'
import { now } from '@/core/clock'
import { signer } from '@/http/signed'
import { PageRefusal } from './page-refusal'

const TEN_MINUTES_MS = 10 * 60 * 1000

const forms = signer('consent')

/** What a person was asked: the whole request, and the scopes that the page listed. */
export type Question = { query: string; shown: readonly string[] }

/** A question, sealed for this session: nobody can put another one under the same answer. */
export const sealConsent = async ({ query, shown }: Question, { credential }: Caller): Promise<string> =>
  (await forms.sign({ query, shown: shown.join(' '), session: credential.id }, TEN_MINUTES_MS)).token

/** Gives the question back to whom it was put. Others, and those who took too long, can have it put to them anew. */
export async function openConsent(
  sealed: string | undefined,
  caller: Caller | undefined,
): Promise<Question & { caller: Caller }> {
  const opened = await forms.open(sealed ?? '')
  const { query, shown = '', session } = opened?.value ?? {}
  if (caller === undefined) throw new PageRefusal('unauthorized', 'Your sign-in has ended.', { query })
  if (opened === undefined || session !== caller.credential.id || opened.expiresAt <= now())
    throw new PageRefusal('bad_request', 'This question is too old, or was not put to you.', { query })
  return { caller, query: query ?? '', shown: shown.split(' ') }
}
