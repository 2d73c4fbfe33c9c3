import {
  badRequest,
  conflict,
  forbidden,
  gone,
  notFound,
  rateLimited,
  unauthorized,
  unavailable,
} from '@/core/errors'
import { plain } from '@/http/protocol'
import { serve } from '@/http/serve'
import { listGrants } from '@/modules/access/grants/actions'
import { mount } from './mount'

const ERRORS: Record<string, () => Error> = {
  400: () => badRequest('The cursor is not one of this list'),
  401: () => unauthorized(false),
  403: () => forbidden('Only its owner may'),
  404: () => notFound('Event'),
  409: () => conflict('Somebody was faster'),
  410: () => gone('This link has expired'),
  429: () => rateLimited(40),
  500: () => new Error('a secret of the house'),
  503: () => unavailable(),
}

export const STATUSES = Object.keys(ERRORS)

/** A server that refuses with every status at `/papers/:status`, and at the API as ever. */
export const serveErrors = () =>
  mount((app) =>
    app
      .get(
        '/papers/:status',
        ...plain((_, { status = '' }) => {
          throw ERRORS[status]?.() ?? notFound('Page')
        }),
      )
      .get('/v1/papers', ...serve(listGrants)),
  )
