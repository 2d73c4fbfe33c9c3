/** Texts that are kept, and how long one may be: both are a caller's to choose. */
const TEXTS_MAX = 500
const LENGTH_MAX = 500

/** Keeps what a function made of a text, for headers of which the world has few. */
export function remembered<V extends boolean | number | string>(
  make: (text: string) => V,
): (text: string) => V {
  const made = new Map<string, V>()
  return (text) => {
    let value = made.get(text)
    if (value === undefined) {
      value = make(text)
      if (made.size >= TEXTS_MAX) made.clear()
      if (text.length <= LENGTH_MAX) made.set(text, value)
    }
    return value
  }
}
