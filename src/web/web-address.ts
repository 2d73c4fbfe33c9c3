/** A normalized http(s) address, or null: anything else could run script, lead nowhere or show a password. */
export function webAddress(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text)
  if (!url) return null
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return isWeb && url.username === '' && url.password === '' ? url.href : null
}
