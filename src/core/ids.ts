const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/** UUIDv7 sorts by creation time, which keeps index pages warm and gives lists a natural order. */
export const newId = (): string => Bun.randomUUIDv7()

/** Sorts before every generated id. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** The smallest id of a moment. */
export const idAt = (moment: Date): string => {
  const ms = moment.getTime().toString(16).padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-000000000000`
}

/** Case-insensitive; `parser` lowercases ids. */
export const isId = (value: string) => UUID.test(value)
