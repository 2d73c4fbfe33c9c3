export type ContentLine = { name: string; parameters: Record<string, string>; value: string }

const OCTETS_MAX = 75
const LINE =
  /^([A-Z0-9-]+)((?:;[A-Z0-9-]+=(?:[^\x00-\x08\x0a-\x1f\x7f";:,]+|"[^\x00-\x08\x0a-\x1f\x7f"]*"))*):(.*)$/su
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/

/** The content lines of a calendar, to the letter of RFC 5545, 3.1: throws where a lenient reader would look away. */
export function contentLines(bytes: Uint8Array): ContentLine[] {
  // Each line by itself: a character that folding had split would not be one in either.
  const physical = splitLines(bytes).map((line) => {
    if (line.length > OCTETS_MAX) throw new Error(`a line of ${line.length} octets`)
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line)
  })
  const lines: string[] = []
  for (const line of physical) {
    if (!line.startsWith(' ')) lines.push(line)
    else if (lines.length === 0) throw new Error('a calendar that begins with the rest of a line')
    else lines[lines.length - 1] += line.slice(1)
  }
  return lines.map(contentLine)
}

function splitLines(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = []
  let from = 0
  for (let index = 0; index < bytes.length; index += 1) {
    if (bytes[index] === 0x0a) throw new Error('a line feed of its own')
    if (bytes[index] !== 0x0d) continue
    if (bytes[index + 1] !== 0x0a) throw new Error('a carriage return of its own')
    lines.push(bytes.subarray(from, index))
    index += 1
    from = index + 1
  }
  if (from !== bytes.length) throw new Error('a last line without an end')
  return lines
}

function contentLine(line: string): ContentLine {
  if (CONTROLS.test(line)) throw new Error(`a control character in ${JSON.stringify(line)}`)
  const [, name, list, value] = LINE.exec(line) ?? []
  if (name === undefined || list === undefined || value === undefined)
    throw new Error(`no content line: ${JSON.stringify(line)}`)
  const parameters: Record<string, string> = {}
  for (const [, key, quoted, plain] of list.matchAll(/;([A-Z0-9-]+)=(?:"([^"]*)"|([^;]*))/g)) {
    if (key === undefined || key in parameters) throw new Error(`a parameter twice: ${line}`)
    parameters[key] = quoted ?? plain ?? ''
  }
  return { name, parameters, value }
}
