type Property = { name: string; parameters: Record<string, string>; value: string }

/** Reads a vCard 3.0 by the letter of RFC 2426, and throws at whatever is not in its grammar. */
export function parseVcard(text: string): Property[] {
  if (!text.endsWith('\r\n')) throw new Error('does not end its last line')
  const physical = text.slice(0, -2).split('\r\n')
  for (const line of physical) {
    if (/[\r\n]/.test(line)) throw new Error('a bare line break')
    if (Buffer.byteLength(line) > 75) throw new Error('a line of more than 75 octets')
    // Half a character at a fold would be replaced here.
    if (line !== Buffer.from(line).toString()) throw new Error('broken in the middle of a character')
  }
  const logical: string[] = []
  for (const line of physical)
    if (/^[ \t]/.test(line)) logical.push(`${logical.pop()}${line.slice(1)}`)
    else logical.push(line)
  const properties = logical.map((line) => {
    const match = /^([A-Z-]+)((?:;[A-Z-]+=[A-Za-z0-9-]+)*):(.*)$/su.exec(line)
    if (!match) throw new Error(`no content line: ${line}`)
    const [, name = '', parameters = '', value = ''] = match
    if (/\p{Cc}/u.test(value)) throw new Error(`a control character in ${name}`)
    const pairs = parameters.split(';').slice(1)
    return { name, value, parameters: Object.fromEntries(pairs.map((pair) => pair.split('='))) }
  })
  const names = properties.map(({ name }) => name)
  if (names[0] !== 'BEGIN' || names[1] !== 'VERSION' || names.at(-1) !== 'END') throw new Error('not a vCard')
  for (const one of ['BEGIN', 'VERSION', 'N', 'FN', 'END'])
    if (names.filter((name) => name === one).length !== 1) throw new Error(`not one ${one}`)
  return properties
}

/** The components of a value, without their escapes. */
export function componentsOf(value: string): string[] {
  if (/(?<!\\)(?:\\\\)*\\(?![\\;,nN])/.test(value)) throw new Error(`an escape of nothing: ${value}`)
  const components = ['']
  for (const [token] of value.matchAll(/\\.|[^\\]/gsu)) {
    if (token === ';') components.push('')
    else if (token === ',') throw new Error('a comma that is not escaped')
    else components[components.length - 1] += token.replace(/^\\/, '')
  }
  return components
}

export const valuesOf = (properties: Property[], name: string) =>
  properties.filter((property) => property.name === name).map(({ value }) => value)
