const known = new Map<string, boolean>()

/** Whether this is a zone of the IANA list, as written there. */
export function isTimeZone(name: string): boolean {
  let answer = known.get(name)
  if (answer === undefined) {
    answer = /^[A-Za-z]/.test(name) && resolves(name)
    if (known.size < 1000) known.set(name, answer)
  }
  return answer
}

function resolves(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone.length > 0
  } catch {
    return false
  }
}
