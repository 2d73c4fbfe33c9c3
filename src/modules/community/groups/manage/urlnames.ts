import { conflict } from '@/core/errors'
import { explain } from '@/db/conflicts'

/** Path segments used in the same position as a group name. */
const RESERVED = new Set(['claim', 'new', 'manage'])

export function demandUnreserved(urlname: string | undefined) {
  if (urlname !== undefined && RESERVED.has(urlname.toLowerCase()))
    throw conflict('That web address is reserved')
}

export const explainTakenUrlname = explain({
  groups_urlname_key: () => conflict('That web address is taken'),
})
