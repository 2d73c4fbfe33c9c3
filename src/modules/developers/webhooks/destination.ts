import type { Role } from '@/core/caller'
import { invalid, invalidField } from '@/core/errors'
import { type Destination, readDestination, Unreachable, vettedAddresses } from '@/outbound/destination'

/** Whether a webhook may go where the operator opened the way inside: as long as its owner is an administrator. */
export const isAdministrators = ({ scopes }: { scopes: readonly string[] }, ownerRole: Role) =>
  ownerRole === 'admin' && scopes.includes('admin')

/** Refuses an address that we would not call. One whose name does not resolve yet is judged when it is dialled. */
export async function demandDestination(text: string | undefined, forAdministrator: boolean): Promise<void> {
  if (text === undefined) return
  await vettedAddresses(readUrl(text, forAdministrator)).catch((error) => {
    if (!(error instanceof Unreachable)) throw error
    if (error.fault === 'refused') throw invalid(`url: ${error.message}`)
  })
}

function readUrl(text: string, forAdministrator: boolean): Destination {
  try {
    return readDestination(text, forAdministrator)
  } catch (error) {
    throw error instanceof Unreachable ? invalidField('url', error.message) : error
  }
}
