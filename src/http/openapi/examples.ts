import {
  AppError,
  badRequest,
  conflict,
  ERRORS,
  type ErrorCode,
  forbidden,
  gone,
  insufficientScope,
  invalidField,
  notFound,
  payloadTooLarge,
  preconditionFailed,
  rangeNotSatisfiable,
  rateLimited,
  unauthorized,
  unavailable,
} from '@/core/errors'
import { refusals } from '@/core/refusals'
import { exampleOf } from '@/core/sample'
import type { Json } from './schemas'

// biome-ignore lint/suspicious/noExplicitAny: a document is arbitrary JSON.
type Any = any

/** JSON, or a form with the same fields. */
const SHOWN = /json|x-www-form-urlencoded/

/** Adds an example, generated from the schema, to every parameter, body and answer. */
export function addExamples(document: Json): Json {
  const { paths, webhooks = {}, components } = document as Any
  const resolve = (ref: string) =>
    ref
      .slice(2)
      .split('/')
      .reduce((node: Any, name) => node[name], document)
  const sample = (name: string, schema: Json) => exampleOf(name, schema, { within: '', resolve })

  const inContent = (content: Any = {}) => {
    for (const [type, media] of Object.entries<Any>(content))
      if (SHOWN.test(type) && media.schema && !media.example && !media.examples)
        media.example = sample('', media.schema)
  }
  const inOperation = ({ parameters = [], requestBody, responses }: Any) => {
    for (const one of parameters)
      if (one.schema && one.example === undefined) one.example = sample(one.name, one.schema)
    inContent(requestBody?.content)
    for (const response of Object.values<Any>(responses)) inContent(response.content)
  }
  for (const item of [...Object.values<Any>(paths), ...Object.values<Any>(webhooks)])
    for (const one of Object.values(item)) inOperation(one)
  for (const response of Object.values<Any>(components.responses)) inContent(response.content)
  return document
}

const REFUSALS: Record<ErrorCode, AppError> = {
  validation_error: invalidField('title', 'must be 1 to 200 characters on one line'),
  bad_request: badRequest('The body is not valid JSON'),
  unauthorized: unauthorized(false),
  insufficient_scope: insufficientScope('read:events'),
  forbidden: forbidden(refusals.volunteersOnly),
  not_found: notFound('Event'),
  conflict: conflict(refusals.usernameTaken),
  gone: gone(refusals.claimLinkExpired),
  precondition_failed: preconditionFailed,
  payload_too_large: payloadTooLarge(65_536),
  range_not_satisfiable: rangeNotSatisfiable(1024),
  rate_limited: rateLimited(30),
  internal_error: new AppError(
    'internal_error',
    'Something went wrong on our side; please mention 5f0c6f3a9d0b-4z when you report it',
  ),
  unavailable: unavailable(),
}

export const refusalExamples = (status: number): Json =>
  Object.fromEntries(
    (Object.keys(ERRORS) as ErrorCode[])
      .filter((code) => ERRORS[code].status === status)
      .map((code) => [code, { value: { error: REFUSALS[code].message, code } }]),
  )
