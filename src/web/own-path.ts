const HOME = '/'
/** A base to resolve against: a path stays under it, an address elsewhere does not. */
const HERE = 'http://here.invalid'
/** Every mail keeps it, so it is bounded; an authorization request fits whole, in all but odd cases. */
const LENGTH_MAX = 4000

/** A second slash, or what some reader takes for one, would begin the name of another host. */
const BEGINS = /^\/(?!\/|\\|%2f|%5c)/i
/** Paths that begin a sign-in, which the author of a link must not begin for the person who follows it. */
const SIGN_IN_PATHS = '/auth/'
const ODD = /[\u0000-\u0020\u007f-\u009f\\]/

/** A path of this server, to which a person may be sent. Anything else becomes the front page. */
export function ownPath(value: string | null | undefined): string {
  if (!value || value.length > LENGTH_MAX) return HOME
  const path = resolved(value)
  return path !== undefined && !path.startsWith(SIGN_IN_PATHS) && path.length <= LENGTH_MAX ? path : HOME
}

/** Whether whoever goes there stays with us. */
export const isOwnPath = (value: string): boolean => resolved(value) !== undefined

function resolved(value: string): string | undefined {
  if (ODD.test(value) || !BEGINS.test(value)) return undefined
  const url = URL.parse(value, HERE)
  if (url === null || url.origin !== HERE) return undefined
  // Dots are resolved by now, so `/.//evil.example` shows what it is; the rest is plain ASCII, fit for a header.
  const path = url.pathname + url.search + url.hash
  return BEGINS.test(path) ? path : undefined
}
