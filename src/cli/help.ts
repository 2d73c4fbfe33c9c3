import { DESCRIBED } from './catalogue'
import type { Described } from './command'

export function helpFor({ name, takes = [], summary, example, options = {} }: Described): string {
  const all = Object.entries(options).map(([flag, { what, value, needed }]) => ({
    flag: value ? `${flag} <${value}>` : flag,
    what,
    needed,
  }))
  const flags = all.map(({ flag, what }) => [flag, what] as const)
  const usage = [
    name,
    ...takes.map((word) => `<${word}>`),
    ...all.map(({ flag, needed }) => (needed ? flag : `[${flag}]`)),
  ]
  return [
    `folkmoot ${usage.join(' ')} [--json]\n\n${summary}`,
    ...(flags.length > 0 ? [inColumns(flags)] : []),
    `  ${example}`,
  ].join('\n\n')
}

/** All commands. The MCP bridge is not in the list: it needs neither settings nor a database. */
export const help = (title: string) =>
  [
    title,
    '',
    inColumns([
      ...DESCRIBED.map(({ name, summary }) => [name, summary] as const),
      ['mcp', 'Speaks MCP on standard input and output, and passes it on to a server.'],
    ]),
  ].join('\n')

function inColumns(rows: (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, what]) => `  ${name.padEnd(width)}  ${what}`).join('\n')
}
