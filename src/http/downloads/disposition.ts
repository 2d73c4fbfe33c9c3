const NAME_MAX = 100

export const attachment = (name: string) => `attachment; ${named(name)}`

/** For what a browser may show. */
export const inline = (name: string) => `inline; ${named(name)}`

/** Names the file twice: in ASCII for old clients, and in full. */
function named(name: string): string {
  const cut = name.lastIndexOf('.')
  const [stem, ending] = cut < 0 ? [name, ''] : [name.slice(0, cut), name.slice(cut)]
  const full = safe(stem)
  const plain = full
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
  return `filename="${(plain || NAMELESS) + ending}"; filename*=UTF-8''${percentEncoded(full + ending)}`
}

const NAMELESS = 'file'

/** A name without separators of paths, without dots in front, and without the invisible characters that disguise an ending. */
function safe(stem: string): string {
  const clean = stem
    .replace(/[\p{C}\p{Z}\\/:*?"<>|]+/gu, ' ')
    .trim()
    .replace(/^[. ]+|[. ]+$/g, '')
  return [...clean].slice(0, NAME_MAX).join('') || NAMELESS
}

const percentEncoded = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
