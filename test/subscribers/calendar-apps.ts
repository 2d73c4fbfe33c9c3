import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './run'

const lines = (...text: string[]) => `${text.join('\n')}\n`

/** vdirsyncer, which copies a calendar into a folder with a file for each event. */
export function vdirsyncer(url: string) {
  const folder = mkdtempSync(join(tmpdir(), 'vdirsyncer-'))
  const [config, events] = [join(folder, 'config'), join(folder, 'events')]
  mkdirSync(events)
  writeFileSync(
    config,
    lines(
      ...['[general]', `status_path = "${folder}/status/"`],
      ...['[pair moot]', 'a = "feed"', 'b = "files"', 'collections = null', 'conflict_resolution = "a wins"'],
      ...['[storage feed]', 'type = "http"', `url = "${url}"`],
      ...['[storage files]', 'type = "filesystem"', `path = "${events}"`, 'fileext = ".ics"'],
    ),
  )
  const command = (...words: string[]) =>
    run(['vdirsyncer', '-c', config, ...words], { env: { HOME: folder } })
  return {
    folder: events,
    discover: () => command('discover'),
    sync: () => command('sync'),
    /** The files with their contents and when they were written. */
    files: () =>
      Object.fromEntries(
        readdirSync(events)
          .sort()
          .map((name) => [
            name,
            `${statSync(join(events, name)).mtimeMs} ${readFileSync(join(events, name), 'utf8')}`,
          ]),
      ),
  }
}

/** khal, a calendar in the terminal that shows such a folder; its clock is that of Lisbon. */
export function khal(folder = mkdtempSync(join(tmpdir(), 'khal-events-'))) {
  const own = mkdtempSync(join(tmpdir(), 'khal-'))
  const config = join(own, 'config')
  writeFileSync(
    config,
    lines(
      ...['[calendars]', '[[moot]]', `path = ${folder}`, 'type = calendar'],
      ...['[locale]', 'timeformat = %H:%M', 'dateformat = %Y-%m-%d', 'longdateformat = %Y-%m-%d'],
      ...['datetimeformat = %Y-%m-%d %H:%M', 'longdatetimeformat = %Y-%m-%d %H:%M'],
      ...['local_timezone = Europe/Lisbon', 'default_timezone = Europe/Lisbon'],
      ...['[sqlite]', `path = ${own}/khal.db`],
    ),
  )
  const command = (words: string[], input?: string) =>
    run(['khal', '-c', config, ...words], { env: { HOME: own }, ...(input !== undefined && { input }) })
  return {
    /** Takes in a calendar as it is; what it has already is replaced by name. */
    take: (calendar: string) => command(['import', '--batch', '-a', 'moot'], calendar),
    /** What it shows of a stretch of days. */
    async list(from: string, days: number): Promise<string[]> {
      const format = '{start-long} – {end-long} {title}{cancelled}'
      const said = await command(['list', '--once', '--day-format', '', '--format', format, from, `${days}d`])
      return said.split('\n').filter((line) => line.trim() !== '')
    },
  }
}
