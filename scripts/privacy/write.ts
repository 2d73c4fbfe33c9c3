import { sweeps } from '@/areas'
import { DAY_MS } from '@/core/clock'
import { tableName } from '@/db/tables/columns'
import { HELD, WITHOUT_PERSONAL_DATA } from '@/modules/account/privacy/held/all'
import { ERASURES, type Holding, REASONS, type Retention } from '@/modules/account/privacy/held/holding'
import { wordsIn } from '@/words/words'

const BEGIN = '<!-- made by `bun run generate` -->'
const END = '<!-- until here -->'

/** The document with regenerated tables. */
export function writePrivacy(document: string): string {
  const [before, rest = ''] = document.split(BEGIN)
  const [, after = ''] = rest.split(END)
  return `${before}${BEGIN}\n\n${tables()}\n\n${END}${after}`
}

const tables = () =>
  [
    grid(
      ['Table', 'What it holds', 'Why', 'How long', 'In your export', 'When you delete your account'],
      HELD.map(rowOf),
    ),
    'These tables hold no personal data:',
    grid(
      ['Table', 'What it holds'],
      Object.entries(WITHOUT_PERSONAL_DATA).map(([table, what]) => [`\`${table}\``, what]),
    ),
  ].join('\n\n')

const rowOf = (holding: Holding): string[] => {
  const table = tableName(holding.table)
  const { text } = wordsIn('en').privacy.tables[table] ?? { text: 'not described' }
  return [
    `\`${table}\``,
    text,
    holding.why,
    lasting(holding.retention),
    given(holding),
    ERASURES[holding.erased],
  ]
}

function lasting(retention: Retention): string {
  if (retention === 'account') return 'as long as your account'
  if (retention === 'always') return 'always'
  if ('ms' in retention) return spell(retention.ms, retention.after)
  const ages = retention.sweeps.map((name) => {
    const keeps = sweeps.find((sweep) => sweep.name === name)?.keeps
    return keeps ? spell(keeps.ms, keeps.after) : `no sweep is called ${name}`
  })
  return [...(retention.otherwise ? ['as long as your account'] : []), ...ages].join('; ')
}

const spell = (ms: number, after: string) => (ms === 0 ? `until ${after}` : `${span(ms)} after ${after}`)

const HOUR_MS = DAY_MS / 24

function span(ms: number): string {
  const [count, unit] =
    ms % DAY_MS === 0
      ? [ms / DAY_MS, 'day']
      : ms % HOUR_MS === 0
        ? [ms / HOUR_MS, 'hour']
        : [ms / 60_000, 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

function given({ leftOut, withheld, isPrivate }: Holding): string {
  if (leftOut) return `no: ${leftOut}`
  const reasons = [...new Set(Object.values(withheld))].filter((reason) => reason !== 'machinery')
  const without = reasons.map((reason) => REASONS[reason]).join('; ')
  return `yes${without && `, but not what is ${without}`}${isPrivate ? '. Not in that of an application' : ''}`
}

/** Pads cells to a common width, as the formatter does in other documents. */
function grid(head: string[], rows: string[][]): string {
  const widths = head.map((cell, i) => Math.max(cell.length, ...rows.map((row) => (row[i] as string).length)))
  const line = (cells: string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] as number)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
