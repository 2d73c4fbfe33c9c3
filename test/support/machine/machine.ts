import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const BOOT_MS_MAX = 60_000
const COMMAND_MS_MAX = 170_000

type Options = {
  name: string
  /** Files and folders of this machine that the other one sees, by the path under which it does. */
  binds: Record<string, string>
  /** As `binds`, but it may write there, and what it writes is kept apart. */
  overlays: Record<string, string>
  /** Names that lead to itself. */
  names: string[]
}

export type Machine = {
  /** Where its files are, seen from here. */
  root: string
  /** Runs a script as root, in a shell that has just been opened in `folder`. */
  run(script: string, folder?: string): Promise<{ status: number; output: string }>
  /** Off in order, and on again. */
  reboot(): Promise<void>
  stop(): Promise<void>
}

/** Boots a machine with systemd, in a container without a network: it has a loopback of its own, and all ports are free. */
export async function bootMachine(base: string, options: Options): Promise<Machine> {
  const { name } = options
  const root = join(base, '..', name)
  if (spawnSync('cp', ['--archive', '--reflink=auto', base, root]).status !== 0)
    throw new Error('The disk of a machine could not be made')
  writeFileSync(join(root, 'etc/hostname'), `${name}\n`)
  writeFileSync(join(root, 'etc/hosts'), `127.0.0.1 localhost ${name} ${options.names.join(' ')}\n`)
  for (const there of Object.keys(options.overlays)) mkdirSync(join(root, there), { recursive: true })
  const group = join(groups(), `folkmoot-test-${process.pid}-${name}`)
  mkdirSync(group, { recursive: true })

  let container = start(root, options, group)
  await untilBooted(container, root)
  const stop = async () => {
    const { status } = await run(container, 'systemctl poweroff', '/')
    if (status === 0) await container.ended
    else container.child.kill('SIGKILL')
  }
  return {
    root,
    run: (script, folder = '/root') => run(container, script, folder),
    async reboot() {
      await stop()
      container = start(root, options, group)
      await untilBooted(container, root)
    },
    async stop() {
      await stop()
      spawnSync('find', [group, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';'])
    },
  }
}

type Container = { child: ChildProcess; ended: Promise<void> }

/** In a group of processes of its own: systemd ends what is in the groups of its units, and another machine has the same. */
function start(root: string, { name, binds, overlays }: Options, group: string): Container {
  const out = openSync(logOf(root), 'w')
  const words = [
    ...['--quiet', '--boot', '--keep-unit', '--register=no', '--private-network', '--console=pipe'],
    ...[`--machine=${name}`, `--directory=${root}`],
    ...Object.entries(binds).map(([there, here]) => `--bind-ro=${here}:${there}`),
    ...Object.entries(overlays).map(([there, here]) => `--overlay=${here}::${there}`),
  ]
  const child = spawn(
    'sh',
    ['-c', `echo $$ > ${group}/cgroup.procs; exec systemd-nspawn "$@"`, 'sh', ...words],
    {
      stdio: ['ignore', out, out],
      env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' },
    },
  )
  return { child, ended: new Promise((resolve) => child.once('exit', () => resolve())) }
}

const logOf = (root: string) => `${root}.log`

/** Where this kernel has its groups of processes. */
function groups(): string {
  const [, place] = /^cgroup2 (\S+) cgroup2 /m.exec(readFileSync('/proc/mounts', 'utf8')) ?? []
  if (!place) throw new Error('This test needs cgroups of the second version.')
  return place
}

/** The first process of the machine, as it is numbered here. */
function leaderOf({ pid, exitCode, signalCode }: ChildProcess): number | undefined {
  if (exitCode !== null || signalCode !== null) return undefined
  const [leader] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
  return leader ? Number(leader) : undefined
}

async function run({ child }: Container, script: string, folder: string) {
  const leader = leaderOf(child)
  if (leader === undefined) return { status: -1, output: 'The machine is off.' }
  const command = ['nsenter', '--target', String(leader), '--all', '--wd=/', 'env', '--ignore-environment']
  const environment = ['HOME=/root', 'LANG=C.UTF-8', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin']
  const shell = Bun.spawn([...command, ...environment, 'bash', '-c', `cd ${folder} && exec bash -e -s`], {
    stdin: new Blob([`exec 2>&1\n${script}\n`]),
    stdout: 'pipe',
    stderr: 'ignore',
    timeout: COMMAND_MS_MAX,
  })
  const output = await new Response(shell.stdout).text()
  return { status: await shell.exited, output }
}

async function untilBooted(container: Container, root: string): Promise<void> {
  const giveUpAt = performance.now() + BOOT_MS_MAX
  for (;;) {
    const { output } = await run(container, 'systemctl is-system-running || true', '/')
    if (/^(running|degraded)/.test(output)) return
    if (performance.now() > giveUpAt || container.child.exitCode !== null)
      throw new Error(`The machine did not boot:\n${readFileSync(logOf(root), 'utf8').slice(-2000)}`)
    await Bun.sleep(200)
  }
}
