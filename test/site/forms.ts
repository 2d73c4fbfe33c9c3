import { type Answer, get, post } from '../support/api'

const tokenIn = ({ text }: Answer) => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''

/** Presses a button of a page as its reader would: with the token that the page holds. */
export async function press(
  path: string,
  session: string,
  { name, ...fields }: Record<string, string> = {},
): Promise<Answer> {
  const csrf = tokenIn(await get(path, { session }))
  return post(name === undefined ? path : `${path}?do=${name}`, {
    session,
    body: new URLSearchParams({ csrf, ...fields }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
}
