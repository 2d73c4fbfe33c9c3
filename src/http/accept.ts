import { remembered } from '@/core/memo'

/** Links and typed addresses only: forms and API calls are no navigation. */
export const mayNavigate = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD'

/** Browsers list HTML; programs that accept anything, or send no header, get JSON. */
export function prefersHtml({ headers }: Request): boolean {
  const accept = headers.get('accept')
  return accept !== null && wantsHtml(accept)
}

/** Cached: parsing the header costs a tenth of a tap. */
const wantsHtml = remembered(
  (accept) => qualityOf(accept, 'text/html') > qualityOf(accept, 'application/json'),
)

/** The quality of a type (RFC 9110, 12.5.1): the most specific range decides. */
export const qualityOf = (accept: string, type: string) =>
  qualityIn(accept, ['*/*', `${type.split('/')[0]}/*`, type])

/** The same without wildcards: some clients that accept any picture cannot show newer formats. */
export const namedQualityOf = (accept: string, type: string) => qualityIn(accept, [type])

/** The last of these ranges that is present decides. */
function qualityIn(accept: string, ranges: string[]): number {
  let [exactness, quality] = [-1, 0]
  for (const entry of accept.toLowerCase().split(',')) {
    const [range = '', ...parameters] = entry.split(';').map((part) => part.trim())
    const found = ranges.indexOf(range)
    if (found < exactness || found === -1) continue
    exactness = found
    quality = weightOf(parameters)
  }
  return quality
}

function weightOf(parameters: string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return weight === undefined ? 1 : Number(weight.slice(2)) || 0
}
