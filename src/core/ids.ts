const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/** UUIDv7: sorts by time of birth, so indexes stay warm and lists have a natural order. */
export const newId = (): string => Bun.randomUUIDv7()

/** The least id of a moment. */
export const idAt = (moment: Date): string => {
  const ms = moment.getTime().toString(16).padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-000000000000`
}

/** In any case of letters; `parser` gives ids on in lower case. */
export const isId = (value: string) => UUID.test(value)
