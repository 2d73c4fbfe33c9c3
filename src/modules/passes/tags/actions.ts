import { action } from '@/core/action'
import { invalidField } from '@/core/errors'
import { pageOf } from '@/core/page'
import { refusals } from '@/core/refusals'
import { iso } from '@/core/shapes'
import { audit } from '@/db/audit'
import { db } from '@/db/client'
import { explain } from '@/db/conflicts'
import { keysetPage } from '@/db/keyset'
import { transaction } from '@/db/transaction'
import { addressOf } from '@/http/downloads/address'
import { newPassId } from '@/modules/passes/passes/id'
import { countTags, insertTags, listTags, lockMinting, NEWEST_FIRST } from './queries'
import { MintedTags, PassTag, TagsInput, TagsRequest } from './schema'
import { presentTag, presentWritable, tagSheet } from './sheet'

export const mintTags = action({
  name: 'mintTags',
  access: 'admin',
  summary: 'Mint blank NFC tags',
  description:
    'Each tag has an address to write to it; the first signed-in person who taps it can claim it. The CSV file is for tag writers; its address needs no credential and is valid for ten minutes, while you are an administrator. `GET /v1/admin/meetpass/tags` returns the same later.',
  input: TagsRequest,
  output: MintedTags,
  errors: ['conflict'],
  secret: true,
  run: (caller, { count, designId = null }) =>
    transaction(async (tx) => {
      const ids = Array.from({ length: count }, newPassId).sort()
      await lockMinting(tx)
      const mintedAt = iso(await insertTags(tx, ids, designId).catch(explainNoDesign))
      await audit(tx, caller, {
        action: 'tags.mint',
        targetType: 'tags',
        targetId: mintedAt,
        changes: { count, designId },
      })
      return { tags: ids.map(presentWritable), csv: await addressOf(caller, tagSheet, { mintedAt }) }
    }),
})

export const listMintedTags = action({
  name: 'listMintedTags',
  access: 'admin',
  reads: true,
  summary: 'List minted NFC tags',
  description: 'The newest come first.',
  input: TagsInput,
  output: pageOf(PassTag),
  errors: ['conflict'],
  run: async (_caller, { claimed, ...input }) =>
    keysetPage(
      {
        list: 'tags',
        filters: { claimed },
        input,
        order: NEWEST_FIRST,
        rows: (after) => listTags(db, claimed, after),
        total: await countTags(db, claimed),
      },
      presentTag,
    ),
})

const explainNoDesign = explain({
  passes_design_id_pass_designs_id_fk: () => invalidField('designId', refusals.unknownDesign),
})
