/** What a request asks with. It is cut off by hand: an address under a malformed Host does not parse as a URL. */
export function queryOf({ url }: Request): URLSearchParams {
  const start = url.indexOf('?')
  return new URLSearchParams(start === -1 ? '' : url.slice(start + 1))
}
