/** An absolute address of the web as `URL` writes it, or null: anything else runs, leads nowhere or shows a password. */
export function webAddress(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text)
  if (!url) return null
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return isWeb && url.username === '' && url.password === '' ? url.href : null
}

const TYPES: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
}

/** The media type that an address promises, or null. */
export function pictureType(address: string): string | null {
  const ending = /^[^?#]*\.([a-z]{3,4})(?:[?#]|$)/i.exec(address)?.[1]
  return (ending && TYPES[ending.toLowerCase()]) || null
}
