import { invalid } from '@/core/errors'
import { isException, readDestination, Unreachable, vettedAddresses } from '@/outbound/destination'

/** Refuses an address that we would not call. One whose name does not resolve yet is judged when it is dialled. */
export async function demandDestination(text: string | undefined): Promise<void> {
  if (text === undefined) return
  const url = readUrl(text)
  if (isException(url)) return
  await vettedAddresses(url).catch((error) => {
    if (!(error instanceof Unreachable)) throw error
    if (!error.isUnresolved) throw invalid('url must be an address that can be reached from the internet')
  })
}

function readUrl(text: string): URL {
  try {
    return readDestination(text)
  } catch (error) {
    throw error instanceof Unreachable ? invalid(`url ${error.message}`) : error
  }
}
