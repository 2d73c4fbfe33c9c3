import { config } from '@/config/config'

type Options = { maxAgeSeconds: number; path?: string }

/** A cookie that scripts cannot read and other sites cannot send with a change. */
export const cookie = (name: string, value: string, { maxAgeSeconds, path = '/' }: Options) =>
  `${name}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${config.https ? '; Secure' : ''}`

export const clearedCookie = (name: string, path = '/') => cookie(name, '', { maxAgeSeconds: 0, path })

/** The value of a cookie that was sent once; two with one name mean that one was planted. */
export function cookieOf(request: Request, name: string): string | undefined {
  const all = request.headers.get('cookie')
  const wanted = `${name}=`
  if (!all?.includes(wanted)) return undefined
  let value: string | undefined
  for (let start = 0, end = 0; end < all.length; start = end + 1) {
    end = all.indexOf(';', start)
    if (end === -1) end = all.length
    const part = all.slice(start, end).trim()
    if (!part.startsWith(wanted)) continue
    if (value !== undefined) return undefined
    value = part.slice(wanted.length)
  }
  return value
}
