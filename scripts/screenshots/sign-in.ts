import { DEMO_DOMAIN } from '@/db/migrate/installation'

type Mail = { to: string; text: string }

/** Signs a demo user in by the code in their mail. Returns the session cookie. */
export async function signInAs(username: string, base: string): Promise<string> {
  const email = `${username}@${DEMO_DOMAIN}`
  const headers = { 'sec-fetch-site': 'same-origin', origin: base }
  const send = (path: string, fields: Record<string, string>) =>
    fetch(base + path, { method: 'POST', headers, body: new URLSearchParams(fields), redirect: 'manual' })
  await send('/auth/email', { email })
  const mails = (await (await fetch(`${base}/dev/mailbox.json`)).json()) as Mail[]
  const code = mails
    .filter(({ to }) => to === email)
    .map(({ text }) => /\b(\d{3} ?\d{3})\b/.exec(text)?.[1])
    .find((found) => found !== undefined)
  const answer = await send('/auth/email/verify', { email, code: code?.replace(' ', '') ?? '' })
  const cookie = answer.headers.getSetCookie().find((one) => one.startsWith('session='))
  if (cookie === undefined) throw new Error(`${username} could not sign in: ${answer.status}`)
  return cookie.slice('session='.length, cookie.indexOf(';'))
}
