/** Callers choose the texts, so both their number and length are bounded. */
const TEXTS_MAX = 500
const LENGTH_MAX = 500

/** Memoizes a function of a text, for headers with few distinct values. */
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

/** Memoizes a function per object, for the object's lifetime. */
export function perObject<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, V>()
  return (key) => {
    let value = made.get(key)
    if (value === undefined) {
      value = make(key)
      made.set(key, value)
    }
    return value
  }
}
