import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { guard } from '@/lifecycle/guardian'
import { install } from '../packages'
import { freePort } from '../redis'
import { filesFor, type Ports } from './config'

const PACKAGE = 'python3-swift'
const ROLES = ['account', 'container', 'object', 'proxy'] as const

export type Swift = { endpoint: string; stop(): Promise<void>; freeze(): void; resume(): void }

/** A real server that speaks S3: OpenStack Swift, on ports and in a folder of its own. */
export async function startSwift(): Promise<Swift> {
  const python = findPython()
  const folder = mkdtempSync(join(tmpdir(), 'folkmoot-swift-'))
  mkdirSync(join(folder, 'devices/d'), { recursive: true })
  const [proxy, account, container, object] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ])
  const ports: Ports = { proxy, account, container, object }
  for (const [name, text] of Object.entries(filesFor(folder, ports))) writeFileSync(join(folder, name), text)
  const rings = [`account:${account}`, `container:${container}`, `object:${object}`]
  const made = spawnSync(python, [script, folder, 'rings', ...rings], { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`Swift has no rings:\n${made.stderr}`)
  const children = ROLES.map((role) => start(python, folder, role))
  const stop = async () => void (await Promise.all(children.map(end)))
  const endpoint = `http://127.0.0.1:${proxy}`
  try {
    for (const port of Object.values(ports)) await untilHealthy(port, children)
  } catch (error) {
    await stop()
    throw new Error(`${(error as Error).message}\n${ROLES.map((role) => said(folder, role)).join('\n')}`)
  }
  const signal = (name: NodeJS.Signals) => () => {
    for (const child of children) child.kill(name)
  }
  return { endpoint, stop, freeze: signal('SIGSTOP'), resume: signal('SIGCONT') }
}

const script = join(import.meta.dir, 'serve.py')

function findPython(): string {
  const found = () => {
    const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : Bun.which('python3')
    return python && spawnSync(python, ['-c', 'import swift.proxy.server']).status === 0 ? python : undefined
  }
  const python = found() ?? (install(PACKAGE) ? found() : undefined)
  if (!python)
    throw new Error(
      `The tests of S3 need a server that checks signatures, OpenStack Swift: install Debian's package ${PACKAGE}.`,
    )
  return python
}

function start(python: string, folder: string, role: string): ChildProcess {
  const output = openSync(join(folder, `${role}.log`), 'a')
  const child = spawn(python, [script, folder, role], { stdio: ['ignore', output, output] })
  const letGo = child.pid ? guard(child.pid, 'process') : () => {}
  child.once('exit', letGo)
  return child
}

const said = (folder: string, role: string) =>
  `${role}: ${readFileSync(join(folder, `${role}.log`), 'utf8').slice(-1000)}`

const end = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })

async function untilHealthy(port: number, children: ChildProcess[]) {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (children.some(({ exitCode }) => exitCode !== null)) throw new Error('A server of Swift ended')
    const answer = await fetch(`http://127.0.0.1:${port}/healthcheck`).catch(() => undefined)
    if (answer?.ok) return
    await Bun.sleep(50)
  }
  throw new Error('Swift does not answer')
}
