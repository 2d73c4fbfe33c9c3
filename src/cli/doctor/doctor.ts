import { config } from '@/config/config'
import { databaseUrl } from '@/db/client'
import { CATALOGUE } from '../catalogue'
import { task } from '../command'
import { connected } from '../database'
import { progress } from '../progress'
import { examineStorage } from '../storage/doctor'
import { bytes, counted } from '../units'
import { checkBackup, checkDatabase, checkKey, checkPeople, checkUnfinished, checkWork } from './database'
import { type Finding, type Look, looking, ok, warning, wrong } from './finding'
import { checkDisks, checkFiles, checkOpenFiles, checkStoredKey } from './host'
import { checkHosts, checkReplicas } from './hosts'
import { checkMail, checkSignIn, MAIL_TODO } from './mail'
import { checkRedis } from './redis'
import { checkServer, checkSettings } from './server'

export const doctor = task({
  ...CATALOGUE.doctor,
  connects: false,
  async work() {
    const { say, done } = progress()
    const checks: Finding[] = []
    const look: Check = async (name, at, todo) => {
      say(() => `Looking at: ${name}`)
      const found = await looking(name, at, todo)
      checks.push(...found)
      return found
    }
    try {
      await look('address', checkSettings)
      await look('server', checkServer)
      await look('files', checkFiles)
      await look('key', checkStoredKey)
      await look('open files', checkOpenFiles)
      await look('disk', checkDisks, 'Check that the folder is there, and that its disk is mounted.')
      await look('redis', checkRedis, 'Check that it runs, and its address and password in REDIS_URL.')
      await look('mail', checkMail, MAIL_TODO)
      await look('sign-in', checkSignIn)
      const hosts = await look('hosts', checkHosts)
      await look('replica', checkReplicas)
      await look('database', () => inDatabase(look, (line) => say(line), hosts[0]?.state ?? 'ok'))
    } finally {
      done()
    }
    return { isWell: checks.every(({ state }) => state !== 'wrong'), checks }
  },
  isWell: ({ isWell }) => isWell,
  show: ({ checks }) => [...checks.map(lineOf), '', verdict(checks)].join('\n'),
})

type Check = (name: string, at: Look, todo?: string) => Promise<Finding[]>

/** Skips checks of tables if the schema is not this release's. */
async function inDatabase(
  look: Check,
  say: (line: () => string) => void,
  hosts: Finding['state'],
): Promise<Finding[]> {
  await connected(config, async () => {
    const found = await look('database', () => checkDatabase(databaseUrl(), hosts))
    const isUsable = found.every(
      ({ name, state }) => state === 'ok' || !['database', 'migrations'].includes(name),
    )
    if (!isUsable) {
      await look('data', () => [UNSEEN])
      return
    }
    await look('key', checkKey)
    await look('administrators', checkPeople)
    await look('worker', checkWork)
    await look('unfinished', checkUnfinished)
    await look('backup', checkBackup)
    await look('storage', () => checkStorage(say), STORAGE_TODO)
  })
  return []
}

const STORAGE_TODO = 'Check STORAGE_URL and its keys, that its disk is mounted, and that it can be reached.'

const UNSEEN = warning(
  'data',
  'What is in the database was not looked at: the key, people, work and files.',
  'Do what is said of the database first; then run this again.',
)

const NAME_WIDTH = 16

function lineOf({ name, state, found, todo }: Finding): string {
  const line = `${state.padEnd(9)}${name.padEnd(NAME_WIDTH)}${found}`
  return todo === null ? line : `${line}\n${' '.repeat(9 + NAME_WIDTH)}→ ${todo}`
}

function verdict(checks: Finding[]): string {
  const [wrongs, warnings] = (['wrong', 'warning'] as const).map(
    (state) => checks.filter((check) => check.state === state).length,
  ) as [number, number]
  if (wrongs === 0 && warnings === 0) return 'All is well.'
  const said = [
    ...(wrongs > 0 ? [`${counted(wrongs, 'thing')} ${wrongs === 1 ? 'is' : 'are'} wrong`] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ]
  return `${said.join(', ')}.`
}

async function checkStorage(say: (line: () => string) => void): Promise<Finding[]> {
  const { isWell, diagnosis } = await examineStorage({ withHash: false, say })
  const { storage, objects, bytes: size, missing, wrongSize, nobodys } = diagnosis
  const found = `${counted(objects, 'file')}, ${bytes(size)}, in ${storage}`
  if (isWell) return [ok('storage', `${found}, as the database says.`)]
  return [
    wrong(
      'storage',
      `${found}: ${missing.length} missing, ${wrongSize.length} of a wrong size, ${nobodys.length} orphaned.`,
      'See "folkmoot storage doctor".',
    ),
  ]
}
