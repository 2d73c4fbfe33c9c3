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
