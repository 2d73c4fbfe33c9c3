import { setReadOnly } from '@/config/data-folder'
import { createNoKey } from '@/config/secret-key'
import { VERSION } from '@/core/version'
import { parseCommandLine, WRONG_USE } from './command-line'
import { help, helpFor } from './help'

const LOOKING = new Set(['doctor', 'jobs', 'jobs dead', 'backup verify', 'storage doctor'])

/** Runs an operator command and returns the exit code. Help and usage errors load no settings, which may be what is wrong. */
export async function folkmoot(line: string[]): Promise<number> {
  if (line[0] === '--version') {
    console.log(VERSION)
    return 0
  }
  const asked = parseCommandLine(line)
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
  // Only creating a database needs a key; read-only commands leave an empty folder empty.
  const { command, options } = asked
  const isCheck = command.name === 'migrate' && options.has('--check')
  const makesDatabase = command.name === 'restore' || (command.name === 'migrate' && !isCheck)
  if (!makesDatabase) createNoKey()
  if (isCheck || LOOKING.has(command.name)) setReadOnly()
  const { run } = await import('./run')
  return run(asked, line.includes('--json'))
}
