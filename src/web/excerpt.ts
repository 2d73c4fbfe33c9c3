export function excerpt(text: string | null, length: number): string {
  const line = (text ?? '')
    .slice(0, length * 4)
    .replaceAll(/\s+/g, ' ')
    .trim()
  const letters = [...line]
  return letters.length > length ? `${letters.slice(0, length).join('').trimEnd()}…` : line
}
