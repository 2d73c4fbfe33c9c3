const NAME_MAX = 100

/** Names the file twice: in plain ASCII for those who know nothing else, and in full. */
export function attachment(name: string): string {
  const full = safe(name)
  const plain = full
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/-+(?=\.|$)|^[-.]+/g, '')
  return `attachment; filename="${plain}"; filename*=UTF-8''${percentEncoded(full)}`
}

/** Without what paths are made of, and without the invisible characters that make an ending look like another. */
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
