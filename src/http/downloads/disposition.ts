const NAME_MAX = 100

export const attachment = (name: string) => `attachment; ${named(name)}`

export const inline = (name: string, otherwise?: string) => `inline; ${named(name, otherwise)}`

/** Names the file twice: in ASCII for old clients, as `otherwise` if no letter is Latin, and in full. */
function named(name: string, otherwise = NAMELESS): string {
  const cut = name.lastIndexOf('.')
  const [stem, ending] = cut < 0 ? [name, ''] : [name.slice(0, cut), name.slice(cut)]
  const full = safe(stem)
  return `filename="${(inAscii(full) || inAscii(otherwise)) + ending}"; filename*=UTF-8''${percentEncoded(full + ending)}`
}

const NAMELESS = 'file'

/** Letters that Unicode does not decompose. */
const SPELT: Record<string, string> = {
  ...{ ß: 'ss', ẞ: 'SS', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE', ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', ı: 'i' },
  ...{ đ: 'd', Đ: 'D', ð: 'd', Ð: 'D', þ: 'th', Þ: 'Th', ħ: 'h', Ħ: 'H', ŧ: 't', Ŧ: 'T', ŋ: 'n', Ŋ: 'N' },
  ...{ ə: 'e', Ə: 'E' },
}

const inAscii = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/\p{Script=Latin}/gu, (letter) => SPELT[letter] ?? letter)
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')

/** Removes path separators, leading dots and the invisible characters that disguise an extension. */
function safe(stem: string): string {
  const clean = stem
    .replace(/[\p{C}\p{Z}\\/:*?"<>|]+/gu, ' ')
    .trim()
    .replace(/^[. ]+|[. ]+$/g, '')
  return [...clean].slice(0, NAME_MAX).join('') || NAMELESS
}

const percentEncoded = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
