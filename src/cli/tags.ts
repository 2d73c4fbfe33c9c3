import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { ConfigError } from '@/config/error'
import { mintTags } from '@/modules/passes/tags/actions'
import { HEADER, lineOf } from '@/modules/passes/tags/sheet'
import { CATALOGUE, TAGS_MAX } from './catalogue'
import { asOperator, task, WrongUse } from './command'
import { progress } from './progress'
import { counted } from './units'

/** Tags per call of the action. */
const AT_ONCE = 1000

export const mint = task({
  ...CATALOGUE.mint,
  async work(_, options) {
    const [count, file] = [countIn(options.get('--count')), fileIn(options.get('--to'))]
    const designId = options.get('--design')
    const { say, done } = progress()
    const descriptor = create(file)
    let minted = 0
    try {
      writeSync(descriptor, HEADER)
      while (minted < count) {
        const { tags } = await asOperator(mintTags, { count: Math.min(AT_ONCE, count - minted), designId })
        writeSync(descriptor, tags.map(({ id }) => lineOf(id)).join(''))
        minted += tags.length
        say(() => `${counted(minted, 'tag')} of ${count.toLocaleString('en')}`)
      }
      fsyncSync(descriptor)
      return { minted, file }
    } catch (error) {
      // Tags minted so far are in the file and usable.
      if (minted === 0) rmSync(file, { force: true })
      throw error
    } finally {
      done()
      closeSync(descriptor)
    }
  },
  show: ({ minted, file }) =>
    `${counted(minted, 'tag')} ${minted === 1 ? 'is' : 'are'} in ${file}. Keep it as safe as the tags: anyone with the address of a blank tag can claim it.`,
})

function countIn(given: string | undefined): number {
  const count = Number(given)
  if (!Number.isInteger(count) || count < 1 || count > TAGS_MAX)
    throw new WrongUse(`--count must be a whole number from 1 to ${TAGS_MAX}.`)
  return count
}

function fileIn(given: string | undefined): string {
  if (given === undefined) throw new WrongUse('--to must name the file that the tags are written to.')
  return given
}

function create(file: string): number {
  try {
    return openSync(file, 'wx', 0o600)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(
      code === 'EEXIST'
        ? `${file} is there already: name a new file, for its tags may be in use.`
        : `${file} cannot be written (${code}): name a file in a folder that is there and that you may write to.`,
    )
  }
}
