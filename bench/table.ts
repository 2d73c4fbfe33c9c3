const GAP = '  '

/** Aligned text: the first column to the left, the others to the right, a rule under the last head. */
export function table(lines: string[][]): string {
  const widths = (lines.at(-1) ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  const drawn = lines.map((line) => draw(line, widths))
  const rule = widths.map((width) => '-'.repeat(width)).join(GAP)
  const heads = lines.findIndex((line) => line[0] !== '') + 1
  return [...drawn.slice(0, heads), rule, ...drawn.slice(heads)].join('\n')
}

const draw = (line: string[], widths: number[]) =>
  line
    .map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    )
    .join(GAP)
    .trimEnd()
