import { AppError, type ErrorCode } from '@/core/errors'

type More = {
  /** The fault in words for the developer of the application. */
  forDevelopers?: string
  /** The question that a person can begin anew. */
  query?: string
}

/** A refusal that a person reads: what happened and what they can do, in one or two sentences. */
export class PageRefusal extends AppError {
  constructor(
    code: ErrorCode,
    message: string,
    readonly more: More,
  ) {
    super(code, message)
  }
}

/** A link of an application that leads nowhere. */
export const badLink = (message: string, forDevelopers: string) =>
  new PageRefusal('bad_request', message, { forDevelopers })
