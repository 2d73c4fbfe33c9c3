import { type Answer, get, post } from './api'
import { makeSession, makeUser } from './make'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

type Fields = Record<string, string> | [string, string][]

/** Somebody with a browser: reads pages, and sends the forms that stand on them. */
export async function makeVisitor(user?: { id: string }, language = 'en') {
  const { id } = user ?? (await makeUser())
  const session = await makeSession(id)
  const headers = { 'accept-language': language, accept: 'text/html' }
  let csrf: string | undefined
  const open = async (path: string): Promise<Answer> => {
    const answer = await get(path, { session, headers })
    csrf ??= formTokenIn(answer)
    return answer
  }
  return {
    id,
    session,
    open,
    /** Sends the form of that name, as a page at this path holds it. */
    send: async (path: string, deed: string, fields: Fields = {}): Promise<Answer> => {
      if (csrf === undefined) await open('/manage/groups/new')
      const url = new URL(path, 'http://here')
      url.searchParams.set('do', deed)
      const body = new URLSearchParams([
        ['csrf', csrf ?? ''],
        ...(Array.isArray(fields) ? fields : Object.entries(fields)),
      ])
      return post(`${url.pathname}${url.search}`, {
        session,
        body: body.toString(),
        headers: { ...headers, ...FORM },
      })
    },
  }
}

/** What a form on a page holds against forgery. */
export const formTokenIn = ({ text }: Answer): string | undefined =>
  /name="csrf" value="([^"]+)"/.exec(text)?.[1]

/** What a form that was refused says above everything. */
export const alarmIn = ({ text }: Answer): string | undefined =>
  /role="alert"[^>]*>(?:<a[^>]*>)?([^<]*)/.exec(text)?.[1]

/** What a page says of a form that was taken. */
export const noticeIn = ({ text }: Answer): string | undefined => /role="status">([^<]*)/.exec(text)?.[1]
