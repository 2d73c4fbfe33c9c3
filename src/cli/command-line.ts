import { DESCRIBED } from './catalogue'
import type { Described, Options } from './command'

export const WRONG_USE = 2

export type Understood = { command: Described; words: string[]; options: Options }

/** Parses a command line; errors are returned as a sentence. Imports no configuration, which may be what is wrong. */
export function parseCommandLine(line: string[]): Understood | { command?: Described; wrong: string } {
  const command = commandIn(line)
  if (!command) return { wrong: 'There is no command of that name.' }
  const words: string[] = []
  const options = new Map<string, string>()
  for (let at = 0; at < line.length; at++) {
    const word = line[at] as string
    if (!word.startsWith('--')) {
      words.push(word)
      continue
    }
    const [flag = '', ...rest] = word.split('=')
    const known = COMMON[flag] ?? command.options?.[flag]
    if (!known) return { command, wrong: `There is no ${flag} here.` }
    if (!known.value && rest.length > 0) return { command, wrong: `${flag} takes no word after it.` }
    const value = !known.value ? '' : rest.length > 0 ? rest.join('=') : line[++at]
    if (value === undefined || (known.value && value === ''))
      return { command, wrong: `${flag} needs a word after it: <${known.value}>.` }
    options.set(flag, value)
  }
  const given = words.slice(command.name.split(' ').length)
  const { takes = [] } = command
  if (given.length !== takes.length)
    return {
      command,
      wrong: `It takes ${takes.map((word) => `<${word}>`).join(' ') || 'no words'} after its name.`,
    }
  return { command, words: given, options }
}

const COMMON: Record<string, { value?: string }> = { '--json': {}, '--help': {} }

/** The longest name wins, so that a name may be a prefix of others. */
function commandIn(line: string[]): Described | undefined {
  const spoken = line.filter((word) => !word.startsWith('--'))
  const found = DESCRIBED.filter(({ name }) => name.split(' ').every((word, at) => spoken[at] === word))
  return found.toSorted((one, other) => other.name.length - one.name.length)[0]
}
