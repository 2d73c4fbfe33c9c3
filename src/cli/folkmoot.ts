import './log-aside'

import { config } from '@/config/config'
import { WrongUse } from './command'
import { connected } from './database'
import { explained } from './explained'
import { help, helpFor } from './help'
import { understand } from './words'

const WRONG_USE = 2

/** Runs a command of the operator's and gives the exit code. */
export async function folkmoot(line: string[]): Promise<number> {
  const asJson = line.includes('--json')
  const asked = understand(line)
  if (line.includes('--help') || line.length === 0) {
    console.log(asked.command ? helpFor(asked.command) : help('folkmoot <command> [--json] [--help]'))
    return 0
  }
  if ('wrong' in asked) {
    console.error(asked.command ? `${asked.wrong}\n\n${helpFor(asked.command)}` : help(asked.wrong))
    return WRONG_USE
  }
  const { command, words, options } = asked
  try {
    const run = () => command.run(words, { asJson, options })
    const { text, isWell } = await (command.connects ? connected(config, run) : run())
    console.log(text)
    return isWell ? 0 : 1
  } catch (error) {
    const said = explained(error)
    if (said === undefined) throw error
    const isWrongUse = error instanceof WrongUse
    const text = isWrongUse ? `${said.error}\n\n${helpFor(command)}` : said.error
    console.error(asJson ? JSON.stringify(said) : text)
    return isWrongUse ? WRONG_USE : 1
  }
}
