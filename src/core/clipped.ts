/** A text of at most so many characters; a row may hold more than our own doors take today. */
export function clipped(text: string, max: number): string {
  if (text.length <= max) return text
  const points = [...text]
  return points.length <= max ? text : `${points.slice(0, max - 1).join('')}…`
}
