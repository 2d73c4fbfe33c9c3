import { type AppError, isAppError } from '@/core/errors'
import { refusalOf } from '@/db/conflicts'
import type { Visit } from '@/http/visit'
import { html } from '@/web/html'
import { respondPage } from '@/web/layout'

/** Says no on a page: whoever reads it is a person who followed a link. */
export const onPages =
  (work: (visit: Visit) => Promise<Response>) =>
  async (visit: Visit): Promise<Response> => {
    try {
      return await work(visit)
    } catch (error) {
      const refusal = isAppError(error) ? error : refusalOf(error)
      if (refusal === undefined) throw error
      return respondPage(visit, refusal.status, refusalPage(refusal), refusal.headers)
    }
  }

function refusalPage({ status, message }: AppError) {
  const title = status === 401 ? 'You are not signed in' : 'This did not work'
  const sentence =
    status === 401 ? 'Your sign-in has ended: go back to the application and begin again.' : message
  return {
    title,
    body: html`<section class="card"><h1>${title}</h1><p>${sentence}</p></section>`,
  }
}
