const LETTERS_MAX = 40

/** The edit distance of two words; infinite beyond two missing or extra letters. */
export function lettersBetween(word: string, typed: string): number {
  if (word === typed) return 0
  if (typed.length > LETTERS_MAX || Math.abs(word.length - typed.length) > 2) return Number.POSITIVE_INFINITY
  let row = Array.from({ length: typed.length + 1 }, (_, at) => at)
  for (const [at, letter] of [...word].entries()) {
    const next = [at + 1]
    for (let to = 1; to <= typed.length; to += 1)
      next[to] = Math.min(
        (row[to] as number) + 1,
        (next[to - 1] as number) + 1,
        (row[to - 1] as number) + (letter === typed[to - 1] ? 0 : 1),
      )
    row = next
  }
  return row[typed.length] as number
}

/** Formats `a, b or c`. */
export const listed = (parts: string[]) =>
  parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} or ${parts.at(-1)}`
