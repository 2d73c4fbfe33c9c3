import type { Verdict } from './judge'

/** Each mutant with its result, and a summary of what to do. */
export function printTable(verdicts: Verdict[]): void {
  const rows = verdicts
    .map(({ mutant, outcome, by }) => ({ name: `${mutant.area}/${mutant.name}`, outcome, by }))
    .sort((a, b) => a.name.localeCompare(b.name))
  const width = Math.max(...rows.map(({ name }) => name.length))
  console.log('')
  for (const { name, outcome, by } of rows) console.log(`${name.padEnd(width)}  ${outcome.padEnd(14)}  ${by}`)
  const count = (outcome: Verdict['outcome']) => rows.filter((row) => row.outcome === outcome).length
  console.log(
    `\n${count('killed')} of ${rows.length} killed, ${count('survived')} survived, ${count('does not apply')} do not apply.`,
  )
  if (count('survived') > 0) console.log('A surviving mutant is a bug that no test detects: write one.')
  if (count('does not apply') > 0) console.log('Its source text has changed: update the mutant.')
}
