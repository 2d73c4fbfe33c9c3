import './log-aside'

import { config } from '@/config/config'
import { WrongUse } from './command'
import { type Understood, WRONG_USE } from './command-line'
import { COMMANDS } from './commands'
import { connected } from './database'
import { explained } from './explained'
import { helpFor } from './help'

export async function run(
  { command: described, words, options }: Understood,
  asJson: boolean,
): Promise<number> {
  const command = COMMANDS.find(({ name }) => name === described.name)
  if (!command) throw new Error(`There is nothing behind ${described.name}`)
  try {
    const work = () => command.run(words, { asJson, options })
    const { text, isWell } = await (command.connects ? connected(config, work) : work())
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
