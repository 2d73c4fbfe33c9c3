const NAME_MAX = 100

/** Names the file twice: in ASCII for old clients, and in full. */
export function attachment(name: string): string {
  const full = safe(name)
  const plain = full
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/-+(?=\.|$)|^[-.]+/g, '')
  return `attachment; filename="${plain}"; filename*=UTF-8''${percentEncoded(full)}`
}

/** A name without separators of paths, and without the invisible characters that disguise an ending. */
function safe(name: string): string {
  const cut = name.lastIndexOf('.')
  const [stem, ending] = [name.slice(0, cut), name.slice(cut)]
  const clean = stem
    .replace(/[\p{C}\p{Z}\\/:*?"<>|]+/gu, ' ')
    .trim()
    .replace(/[. ]+$/, '')
  return [...clean].slice(0, NAME_MAX).join('') + ending
}

const percentEncoded = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
