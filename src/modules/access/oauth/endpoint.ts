import { isAppError } from '@/core/errors'
import { refusalOf } from '@/db/conflicts'
import { readForm } from '@/http/form-body'
import { JSON_TYPE, respond } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { authenticate } from './clients'
import { chargeRequest, countingFailures } from './limits'
import type { Parameters } from './parameters'
import type { Client } from './queries'
import { invalidRequest, OAuthRefusal } from './refusal'

const HEADERS = { 'content-type': JSON_TYPE, 'cache-control': 'no-store', pragma: 'no-cache' }

type Work = (client: Client, form: Parameters) => Promise<object>

/** An endpoint for clients: accepts only a form, authenticates the client, counts the request, then runs. */
export const clientEndpoint =
  (work: Work) =>
  async (visit: Visit): Promise<Response> => {
    try {
      const answer = await asOAuthError(answerTo(visit, work))
      return respond(visit, 200, JSON.stringify(answer), HEADERS)
    } catch (thrown) {
      if (thrown instanceof OAuthRefusal) return respondRefusal(visit, thrown)
      throw thrown
    }
  }

async function answerTo(visit: Visit, work: Work): Promise<object> {
  const { client, form } = await countingFailures(visit, () => asOAuthError(whoAsks(visit)))
  await chargeRequest(visit, client)
  return work(client, form)
}

async function whoAsks(visit: Visit): Promise<{ client: Client; form: Parameters }> {
  demandNoQuery(visit.request)
  const form = await readParameters(visit.request)
  return { client: await authenticate(visit, form), form }
}

/** Queries end up in logs and histories, so they are refused. */
function demandNoQuery({ url }: Request): void {
  if (url.includes('?')) throw invalidRequest('Send parameters in the body, not in the address')
}

async function readParameters(request: Request): Promise<Parameters> {
  const form = await readForm(request)
  return new Map([...form].filter(([, value]) => value !== ''))
}

/** Converts errors to RFC 6749. Bugs pass on to the log. */
const asOAuthError = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((thrown) => {
    if (thrown instanceof OAuthRefusal) throw thrown
    const error = isAppError(thrown) ? thrown : refusalOf(thrown)
    if (error === undefined || error.status === 500) throw thrown
    const fault = error.certainty === 'refused' ? 'invalid_request' : 'temporarily_unavailable'
    throw new OAuthRefusal(fault, error.message, error.status, error.headers)
  })

const respondRefusal = (visit: Visit, { fault, description, status, headers }: OAuthRefusal) =>
  respond(visit, status, JSON.stringify({ error: fault, error_description: description }), HEADERS, headers)
