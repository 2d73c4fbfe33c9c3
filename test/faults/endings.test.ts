import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Found, processesNaming } from '../support/process-tree'
import { until } from '../support/processes'
import { freePort } from '../support/redis'

const root = join(import.meta.dir, '../..')

/** What people type, and the processes that stand between them and the server then. */
const COMMANDS = {
  'npx bun run up': ['npx', '--no-install', 'bun', 'run', 'up'],
  'timeout 60 bun run up': ['timeout', '60', 'bun', 'run', 'up'],
  "sh -c 'bun run start'": ['sh', '-c', 'bun run start; true'],
}
type Command = keyof typeof COMMANDS

const LINKS: Record<string, RegExp> = {
  npx: /^(npm exec|node .*npx)/,
  timeout: /^timeout /,
  sh: /^sh -c /,
  'bun run': /^\S*bun(\.exe)? run (up|start)$/,
  server: /^\S*bun(\.exe)? \S*(up|server)\.ts$/,
}

/** How far the start is when the signal comes. */
const STAGES: Record<string, (chain: Chain) => boolean | Promise<boolean>> = {
  begun: ({ link }) => link('server') !== undefined,
  'making the database': ({ processes }) => processes().some(({ command }) => command.includes('initdb')),
  'starting the database': ({ processes }) =>
    processes().some(({ command }) => /postgres -D /.test(command) && !/--single|initdb/.test(command)),
  ready: ({ url }) =>
    fetch(`${url}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    ),
}

type Chain = {
  url: string
  processes(): Found[]
  link(name: string): Found | undefined
}

const folders: string[] = []
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'folkmoot-endings-'))
  folders.push(folder)
  return folder
}
afterAll(() => {
  for (const folder of folders) {
    for (const { pid } of processesNaming(folder)) process.kill(pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
})

async function begin(command: Command, folder: string): Promise<Chain> {
  const port = await freePort()
  Bun.spawn(COMMANDS[command], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), DATA_DIR: folder },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  const processes = () => processesNaming(folder)
  return {
    url: `http://127.0.0.1:${port}`,
    processes,
    link: (name) => processes().find(({ command }) => LINKS[name]?.test(command)),
  }
}

/** Sends the signal to one link at a stage; gives what is still there when nothing should be. */
async function endingOf(
  command: Command,
  folder: string,
  [stage, link, signal]: [string, string, NodeJS.Signals],
) {
  const chain = await begin(command, folder)
  await until(`${command} is ${stage}`, () => STAGES[stage]?.(chain) ?? false, 60_000)
  const target = chain.link(link)
  if (!target) throw new Error(`no ${link} among ${chain.processes().map((one) => one.command)}`)
  process.kill(target.pid, signal)
  await until('nothing is left', () => chain.processes().length === 0, 20_000).catch(() => {})
  return chain.processes().map((one) => one.command)
}

/** The links above a server wait for it, so that a signal of the terminal alone, without a terminal, ends nobody. */
const isPassedOver = (link: string, signal: NodeJS.Signals) => signal === 'SIGINT' && /^(npx|sh)$/.test(link)

const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGKILL'] as const

describe('a running server and its PostgreSQL end', () => {
  const chains: [Command, string[]][] = [
    ['npx bun run up', ['npx', 'sh', 'bun run', 'server']],
    ['timeout 60 bun run up', ['timeout', 'bun run']],
    ["sh -c 'bun run start'", ['sh', 'bun run', 'server']],
  ]
  for (const [command, links] of chains) {
    const folder = newFolder()
    for (const link of links)
      for (const signal of SIGNALS.filter((one) => !isPassedOver(link, one)))
        test(`${command}: ${signal} to ${link}`, async () => {
          expect(await endingOf(command, folder, ['ready', link, signal])).toEqual([])
        })
  }
})

describe('a start is cut short, and leaves nothing', () => {
  for (const stage of ['begun', 'making the database', 'starting the database'])
    for (const [link, signal] of [
      ['npx', 'SIGTERM'],
      ['npx', 'SIGKILL'],
      ['server', 'SIGTERM'],
      ['server', 'SIGKILL'],
    ] as const)
      test(`${stage}: ${signal} to ${link}`, async () => {
        const folder = newFolder()
        expect(await endingOf('npx bun run up', folder, [stage, link, signal])).toEqual([])
        // Whatever stage it was cut short in, the next start works.
        if (link === 'server')
          expect(await endingOf('npx bun run up', folder, ['ready', 'server', 'SIGTERM'])).toEqual([])
      })
})
