import { config } from '@/config/config'
import { isAppError } from '@/core/errors'
import { reasonOf } from '@/core/reason'
import { StorageDown, StorageFull } from '@/outbound/storage/storage'
import type { Command } from './command'
import { connected } from './database'
import { jobs } from './jobs'
import { doctor } from './storage/doctor'
import { move } from './storage/move'

/** One file for each; no logic here. */
const COMMANDS: Command[] = [jobs, doctor, move]

const FLAGS = ['--json', '--help']
const WRONG_USE = 2

/** Runs a command of the operator's and gives the exit code. */
export async function folkmoot(words: string[]): Promise<number> {
  const asJson = words.includes('--json')
  const flags = words.filter((word) => word.startsWith('--'))
  const spoken = words.filter((word) => !word.startsWith('--'))
  const found = COMMANDS.find(({ name }) => name.split(' ').every((word, at) => spoken[at] === word))
  const rest = spoken.slice(found?.name.split(' ').length)
  const isAsked = words.includes('--help') || words.length === 0
  const isUnderstood = flags.every((flag) => FLAGS.includes(flag) || (found && flag in found.options))
  if (isAsked || !found || !isUnderstood || rest.length !== found.takes.length) {
    console[isAsked ? 'log' : 'error'](found ? helpFor(found) : help(isAsked))
    return isAsked ? 0 : WRONG_USE
  }
  try {
    const { text, isWell } = await connected(config, () =>
      found.run(rest, { asJson, options: new Set(flags) }),
    )
    console.log(text)
    return isWell ? 0 : 1
  } catch (error) {
    const said = explained(error)
    console.error(asJson ? JSON.stringify(said) : said.error)
    return 1
  }
}

/** A refusal in the words of the API; whatever else was thrown is a fault, and goes on. */
function explained(error: unknown): { error: string; code: string } {
  if (isAppError(error)) return { error: error.message, code: error.appCode }
  if (!(error instanceof StorageFull) && !(error instanceof StorageDown)) throw error
  const { reason } = reasonOf(error)
  return {
    error: `${error.message}${reason && reason !== error.message ? `: ${reason}` : ''}.`,
    code: 'unavailable',
  }
}

function helpFor({ name, takes, summary, example, options }: Command): string {
  const usage = [
    name,
    ...takes.map((word) => `<${word}>`),
    ...Object.keys(options).map((flag) => `[${flag}]`),
  ]
  const explanations = Object.entries(options).map(([flag, what]) => `  ${flag}  ${what}`)
  return [
    `folkmoot ${usage.join(' ')} [--json]\n\n${summary}`,
    ...(explanations.length > 0 ? [explanations.join('\n')] : []),
    `  ${example}`,
  ].join('\n\n')
}

function help(isAsked: boolean): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length))
  const list = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return [
    isAsked ? 'folkmoot <command> [--json] [--help]' : 'There is no command of that name.',
    '',
    ...list,
  ].join('\n')
}
