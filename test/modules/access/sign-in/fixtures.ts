import { advanceClock } from '@/core/clock'
import { randomHex } from '@/core/codes'
import { type Answer, call, get } from '../../../support/api'

export type Mail = { id: string; to: string; subject: string; text: string; html: string; at: string }

export const newAddress = () => `new-${randomHex(6)}@folk.example`

/** This machine's own requests, which the proxy in front of the tests says they are. */
export const HERE = { 'x-forwarded-for': '127.0.0.1' }

export const mailbox = async (): Promise<Mail[]> => (await get('/dev/mailbox.json', { headers: HERE })).body

export const mailsTo = async (to: string): Promise<Mail[]> =>
  (await get(`/dev/mailbox.json?to=${encodeURIComponent(to)}`, { headers: HERE })).body

/** What the newest mail to somebody says. */
export async function secretsOf(to: string) {
  const [mail] = await mailsTo(to)
  const token = /verify\?token=([0-9a-f]+)/.exec(mail?.text ?? '')?.[1] as string
  const code = /^(\d{6})$/m.exec(mail?.text ?? '')?.[1] as string
  return { token, code, mail: mail as Mail }
}

type Options = { headers?: Record<string, string>; cookie?: string }

/** A form, sent the way a page of ours would. */
export const submit = (path: string, fields: Record<string, string>, { headers, cookie }: Options = {}) =>
  call('POST', path, {
    body: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      ...(cookie && { cookie }),
      ...headers,
    },
  })

export const ask = (email: string, fields: Record<string, string> = {}, options?: Options) =>
  submit('/auth/email', { email, ...fields }, options)

export async function askAndRead(email: string, fields: Record<string, string> = {}) {
  await ask(email, fields)
  return secretsOf(email)
}

/** The cookies that an answer sets, by name. */
export const cookiesOf = ({ headers }: Answer) =>
  new Map(
    headers.getSetCookie().map((line) => {
      const [pair = '', ...attributes] = line.split('; ')
      const cut = pair.indexOf('=')
      return [pair.slice(0, cut), { value: pair.slice(cut + 1), attributes }] as const
    }),
  )

export const sessionIn = (answer: Answer) => cookiesOf(answer).get('session')?.value as string

/** Signs somebody in by mail and gives their session. */
export async function signIn(email: string, options?: Options): Promise<string> {
  const { token } = await askAndRead(email)
  return sessionIn(await submit('/auth/email/verify', { token }, options))
}

export const me = async (session: string) => (await get('/v1/me', { session })).body?.data

/** Does something as if so much time had gone by; afterwards it is now again. */
export async function later<T>(ms: number, work: () => Promise<T>): Promise<T> {
  advanceClock(ms)
  try {
    return await work()
  } finally {
    advanceClock(-ms)
  }
}
