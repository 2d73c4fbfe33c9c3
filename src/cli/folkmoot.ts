import { onlyLook } from '@/config/data-folder'
import { makeNoKey } from '@/config/secret-key'
import { VERSION } from '@/core/version'
import { help, helpFor } from './help'
import { understand, WRONG_USE } from './run'

const LOOKING = new Set(['doctor', 'jobs', 'jobs dead', 'backup verify', 'storage doctor'])

/** Runs a command of the operator's and gives the exit code. Help and wrong use ask for no settings: those may be what is wrong. */
export async function folkmoot(line: string[]): Promise<number> {
  if (line[0] === '--version') {
    console.log(VERSION)
    return 0
  }
  const asked = understand(line)
  if (line.includes('--help') || line.length === 0) {
    console.log(
      asked.command
        ? helpFor(asked.command)
        : help('folkmoot <command> [--json] [--help], or folkmoot --version'),
    )
    return 0
  }
  if ('wrong' in asked) {
    console.error(asked.command ? `${asked.wrong}\n\n${helpFor(asked.command)}` : help(asked.wrong))
    return WRONG_USE
  }
  // Only where a database is made it needs a key; who looks into an empty place leaves it so.
  const { command, options } = asked
  const isCheck = command.name === 'migrate' && options.has('--check')
  const makesDatabase = command.name === 'restore' || (command.name === 'migrate' && !isCheck)
  if (!makesDatabase) makeNoKey()
  if (isCheck || LOOKING.has(command.name)) onlyLook()
  const { run } = await import('./run')
  return run(asked, line.includes('--json'))
}
