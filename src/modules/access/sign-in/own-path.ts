const HOME = '/'
/** Any name will do: what stays under it is a path, what leaves it is not. */
const HERE = 'http://here.invalid'
/** It is kept with every mail that a stranger asks for. An application's question comes along whole, in all but odd cases. */
const LENGTH_MAX = 4000

/** A second slash, or what some reader takes for one, would begin the name of another host. */
const BEGINS = /^\/(?!\/|\\|%2f|%5c)/i
/** To go there is to begin something, and whoever wrote a link may not begin it for whoever follows it. */
const DOORS = '/auth/'
const ODD = /[\u0000-\u0020\u007f-\u009f\\]/

/** Where a person may be sent: a path of this server. Whatever else is asked for becomes the front page. */
export function ownPath(value: string | null | undefined): string {
  if (!value || value.length > LENGTH_MAX || ODD.test(value) || !BEGINS.test(value)) return HOME
  const url = URL.parse(value, HERE)
  if (url === null || url.origin !== HERE) return HOME
  // Dots are resolved by now, so `/.//evil.example` shows what it is; the rest is plain ASCII, fit for a header.
  const path = url.pathname + url.search + url.hash
  return BEGINS.test(path) && !path.startsWith(DOORS) && path.length <= LENGTH_MAX ? path : HOME
}
