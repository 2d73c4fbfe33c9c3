import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const page = (name: string) =>
  readFileSync(join(import.meta.dir, `../../../docs/operations/${name}.md`), 'utf8')

/** What `start` says to type, from a bare machine to production: one script for each step, by its name. */
export function stepsOfTheEvening(): Map<string, string> {
  const [, section = ''] = /\n## From a bare machine to production\n([\s\S]*?)\n## /.exec(page('start')) ?? []
  const steps = new Map<string, string>()
  for (const part of section.split(/\n(?=\*\*)/)) {
    const [, name] = /^\*\*(?:\d+\. )?([^*.]+?)[.,]?\*\*/.exec(part) ?? []
    const [, script] = /```sh\n([\s\S]*?)```/.exec(part) ?? []
    if (name && script) steps.set(name, script)
  }
  return steps
}

/** What `daily` says to type after these words. */
export function scriptAfter(words: string): string {
  const [, after = ''] = page('daily').split(words)
  return /```sh\n([\s\S]*?)```/.exec(after)?.[1] ?? ''
}

/** Packages of Debian that the scripts install. */
export const packagesOf = (scripts: Iterable<string>) =>
  [...scripts].flatMap((script) =>
    [...script.matchAll(/^apt install --no-install-recommends (.+)$/gm)].flatMap(([, names = '']) =>
      names.split(' '),
    ),
  )

/** A script with other words in some places, each of which has to be there: the page is not followed by heart. */
export function withInstead(script: string, instead: [RegExp, string][]): string {
  let text = script
  for (const [place, words] of instead) {
    if (!place.test(text)) throw new Error(`The page no longer says ${place}:\n${text}`)
    text = text.replace(place, words)
  }
  return text
}
