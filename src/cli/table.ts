type Cell = string | number

/** Columns as wide as their widest cell; numbers stand to the right. */
export function table(heads: string[], rows: Cell[][]): string {
  const widths = heads.map((head, at) =>
    Math.max(head.length, ...rows.map((row) => String(row[at] ?? '').length)),
  )
  const line = (cells: Cell[]) =>
    cells
      .map((cell, at) => {
        const width = widths[at] as number
        return typeof cell === 'number' ? String(cell).padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd()
  return [line(heads), ...rows.map(line)].join('\n')
}
