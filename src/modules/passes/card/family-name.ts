/** How a vCard wants a name: address books sort by the family's. */
export type SplitName = { family: string; given: string }

/** Scripts in which the family's name comes first. */
const FAMILY_FIRST = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\s・]+$/u
/** `van`, `de la`, `bin`: what stands in lower case within a name belongs to what follows. */
const PARTICLE = /^\p{Ll}[\p{Ll}'’]*$/u

/** A guess, since people type one line: the full name is told beside it. */
export function splitName(name: string): SplitName {
  const words = name.trim().split(/\s+/)
  if (words.length === 1) return { family: '', given: words.join() }
  if (FAMILY_FIRST.test(name)) return { family: words[0] as string, given: words.slice(1).join(' ') }
  let first = words.length - 1
  while (first > 1 && PARTICLE.test(words[first - 1] as string)) first -= 1
  return { family: words.slice(first).join(' '), given: words.slice(0, first).join(' ') }
}
