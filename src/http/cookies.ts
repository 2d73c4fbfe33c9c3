import { config } from '@/config/config'

type Options = { maxAgeSeconds: number; path?: string }

/** A cookie that scripts cannot read and other sites cannot send along with a change. */
export const cookie = (name: string, value: string, { maxAgeSeconds, path = '/' }: Options) =>
  `${name}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${config.https ? '; Secure' : ''}`

export const clearedCookie = (name: string, path = '/') => cookie(name, '', { maxAgeSeconds: 0, path })

/** The value of a cookie that was sent exactly once; two of a name mean that somebody planted one. */
export function cookieOf(request: Request, name: string): string | undefined {
  const found = (request.headers.get('cookie') ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
  return found.length === 1 ? found[0]?.slice(name.length + 1) : undefined
}
