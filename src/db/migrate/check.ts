import { findPending } from './history'
import { readRelease } from './release'
import { readRepairs } from './repairs'
import { requireSuitable } from './server-requirements'
import { openSession } from './session'

/** The migrations that a start would run; refuses what a start would refuse, and changes nothing. */
export async function checkMigrations(url: string): Promise<string[]> {
  const client = await openSession(url)
  try {
    await requireSuitable(client)
    const release = readRelease()
    return (await findPending(client, release, readRepairs(release))).map(({ name }) => name)
  } finally {
    await client.end({ timeout: 3 })
  }
}
