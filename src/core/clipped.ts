/** Cuts a text to `max` characters; old rows may be longer than today's limits. */
export function clipped(text: string, max: number): string {
  if (text.length <= max) return text
  const points = [...text]
  return points.length <= max ? text : `${points.slice(0, max - 1).join('')}…`
}
