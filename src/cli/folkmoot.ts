import { config } from '@/config/config'
import { isAppError } from '@/core/errors'
import type { Command } from './command'
import { connected } from './database'
import { jobs } from './jobs'

/** One file for each; no logic here. */
const COMMANDS: Command[] = [jobs]

const FLAGS = ['--json', '--help']
const WRONG_USE = 2

/** Runs a command of the operator's and gives the exit code. */
export async function folkmoot(words: string[]): Promise<number> {
  const asJson = words.includes('--json')
  const [name, ...rest] = words.filter((word) => !word.startsWith('--'))
  const found = COMMANDS.find((command) => command.name === name)
  const isAsked = words.includes('--help') || words.length === 0
  const isUnderstood = words.every((word) => !word.startsWith('--') || FLAGS.includes(word))
  if (isAsked || !found || !isUnderstood || rest.length !== found.takes.length) {
    console[isAsked ? 'log' : 'error'](found ? helpFor(found) : help(isAsked))
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

const helpFor = ({ name, takes, summary, example }: Command) =>
  `folkmoot ${[name, ...takes.map((word) => `<${word}>`)].join(' ')} [--json]\n\n${summary}\n\n  ${example}`

function help(isAsked: boolean): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length))
  const list = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return [
    isAsked ? 'folkmoot <command> [--json] [--help]' : 'There is no command of that name.',
    '',
    ...list,
  ].join('\n')
}
