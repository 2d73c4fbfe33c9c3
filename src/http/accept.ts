import { remembered } from '@/core/remembered'

/** Somebody goes to an address by a link or by typing it: a form and a program's request are no navigation of that kind. */
export const mayNavigate = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD'

/** Browsers name what they can show; programs that take anything, or say nothing, get JSON. */
export function prefersHtml({ headers }: Request): boolean {
  const accept = headers.get('accept')
  return accept !== null && wantsHtml(accept)
}

/** Working out what a browser wants costs a tenth of a tap. */
const wantsHtml = remembered(
  (accept) => qualityOf(accept, 'text/html') > qualityOf(accept, 'application/json'),
)

/** How much a reader wants a type (RFC 9110, 12.5.1): the range that names it most exactly counts. */
export const qualityOf = (accept: string, type: string) =>
  qualityIn(accept, ['*/*', `${type.split('/')[0]}/*`, type])

/** The same for a type that counts only when it is named: some who take any picture cannot show the newer ones. */
export const namedQualityOf = (accept: string, type: string) => qualityIn(accept, [type])

/** By the last of these ranges that is there. */
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
