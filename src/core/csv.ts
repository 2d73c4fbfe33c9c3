export type Cell = string | number | boolean | Date | null

/** Spreadsheets take a file for UTF-8 when it begins with this. */
export const BYTE_ORDER_MARK = '\ufeff'

/** One line as in RFC 4180. */
export const csvRow = (cells: readonly Cell[]) => `${cells.map(written).join(',')}\r\n`

function written(cell: Cell): string {
  if (cell === null) return ''
  if (cell instanceof Date) return cell.toISOString()
  if (typeof cell !== 'string') return String(cell)
  const text = defused(cell)
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Cells that a spreadsheet takes for formulas: text that people typed must not run when somebody else opens the file.
 * Some split at semicolons and tabs too, so a formula after one is no safer.
 */
const FORMULAS =
  /^(?=[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n])|(?<=[;\t\r\n])(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g

const defused = (text: string) => text.replace(FORMULAS, "'")
