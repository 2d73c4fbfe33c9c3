import { conflict } from '@/core/errors'
import { explain } from '@/db/conflicts'

/** Words that stand in the same place of an address as a group's name. */
const RESERVED = new Set(['claim', 'new', 'manage'])

export function demandUnreserved(urlname: string | undefined) {
  if (urlname !== undefined && RESERVED.has(urlname.toLowerCase()))
    throw conflict('That web address is reserved')
}

export const explainTakenUrlname = explain({
  groups_urlname_key: () => conflict('That web address is taken'),
})
