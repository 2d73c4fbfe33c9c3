/** Unchecked uploads; served files; print sheets; personal data exports. */
export const KINDS = ['incoming', 'files', 'sheets', 'exports'] as const

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const NAME = new RegExp(
  `^(?:(?:incoming|sheets|exports)/${ID}|files/${ID}(?:\\.[1-9][0-9]{0,4}\\.(?:jpg|png|gif|webp|avif))?)$`,
)
const PREFIX = new RegExp(`^(?:|(?:${KINDS.join('|')})/(?:${ID})?)$`)
const ID_LENGTH = 36

export const isObjectName = (name: string): boolean => NAME.test(name)

/** Rejects anything but an object name, because paths are built from it. */
export function demandName(name: string): void {
  if (!isObjectName(name)) throw new Error('This is not the name of an object')
}

export function demandPrefix(prefix: string): void {
  if (!PREFIX.test(prefix)) throw new Error('This is not the beginning of names of objects')
}

export function idOf(name: string): string {
  const start = name.indexOf('/') + 1
  return name.slice(start, start + ID_LENGTH)
}
