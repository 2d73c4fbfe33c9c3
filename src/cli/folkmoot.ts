import { config } from '@/config/config'
import { isAppError } from '@/core/errors'
import type { Command } from './command'
import { connected } from './database'
import { jobs } from './jobs'

/** One file for each; no logic here. */
const COMMANDS: Command[] = [jobs]

const WRONG_USE = 2

/** Runs a command of the operator's and gives the exit code. */
export async function folkmoot(words: string[]): Promise<number> {
  const asJson = words.includes('--json')
  const [name, ...rest] = words.filter((word) => !word.startsWith('--'))
  const found = COMMANDS.find((command) => command.name === name)
  if (words.includes('--help') || !found) {
    const isAsked = words.includes('--help') || name === undefined
    console[isAsked ? 'log' : 'error'](found ? helpFor(found) : help(isAsked ? undefined : name))
    return isAsked ? 0 : WRONG_USE
  }
  try {
    console.log(await connected(config, () => found.run(rest, asJson)))
    return 0
  } catch (error) {
    if (!isAppError(error)) throw error
    console.error(asJson ? JSON.stringify({ error: error.message, code: error.appCode }) : error.message)
    return 1
  }
}

const helpFor = ({ summary, example }: Command) => `${summary}\n\n  ${example}`

function help(unknown?: string): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length))
  const list = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return [
    unknown === undefined ? 'folkmoot <command> [--json] [--help]' : `There is no command of that name.`,
    '',
    ...list,
  ].join('\n')
}
