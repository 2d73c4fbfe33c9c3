import type { Verdict } from './judge'

/** Each mutant with its verdict, and what remains to be done at the end. */
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
  if (count('survived') > 0) console.log('A survivor is a mistake that nobody would notice: write the test.')
  if (count('does not apply') > 0) console.log('A text that has moved on: write the mutant anew.')
}
