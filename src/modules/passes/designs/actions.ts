import { type Static, Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { conflict } from '@/core/errors'
import { line, nullable, optional, pattern, themeColor, webUrl } from '@/core/fields'
import { PageInput, pageOf } from '@/core/page'
import { refusals } from '@/core/refusals'
import { iso, orNull, wireTime } from '@/core/shapes'
import { audit } from '@/db/audit'
import { db } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { transaction } from '@/db/transaction'
import type { DesignRow } from '@/modules/passes/passes/queries'
import { usePictures } from '@/modules/people/uploads/use'
import { designPictures } from './pictures'
import { BY_ID, countDesigns, insertDesign, listDesignRows } from './queries'

const PassDesign = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    imageUrl: orNull(Type.String()),
    modelUrl: orNull(Type.String()),
    themeColor: orNull(Type.String()),
    createdAt: wireTime(),
  },
  { $id: 'PassDesign' },
)
type PassDesign = Static<typeof PassDesign>

const NewPassDesign = Type.Object({
  id: pattern(
    '^[a-z0-9]+(-[a-z0-9]+)*$',
    1,
    60,
    'must be 1 to 60 lower-case letters and digits, with hyphens between them',
  ),
  name: line(1, 60),
  imageUrl: optional(nullable(webUrl())),
  modelUrl: optional(nullable(webUrl())),
  themeColor: optional(nullable(themeColor())),
})

export const listPassDesigns = action({
  name: 'listPassDesigns',
  access: 'admin',
  reads: true,
  summary: 'List pass designs',
  input: PageInput,
  output: pageOf(PassDesign),
  run: async (_caller, input) =>
    keysetPage(
      {
        list: 'pass-designs',
        input,
        order: BY_ID,
        rows: (after) => listDesignRows(db, after),
        total: await countDesigns(db),
      },
      present,
    ),
})

export const createPassDesign = action({
  name: 'createPassDesign',
  access: 'admin',
  summary: 'Create a pass design',
  description:
    'Owners choose it by its id, and tags may be minted with it. Picture and model are uploads of the categories `meetpass-image` and `meetpass-model`, or external addresses.',
  input: NewPassDesign,
  output: PassDesign,
  errors: ['conflict'],
  run: (caller, given) =>
    transaction(async (tx) => {
      const made = await insertDesign(tx, await usePictures(tx, caller.userId, designPictures, given))
      if (!made) throw conflict(refusals.designTaken)
      const { id, themeColor } = made
      await audit(tx, caller, {
        action: 'design.create',
        targetType: 'design',
        targetId: id,
        changes: { themeColor },
      })
      return present(made)
    }),
})

const present = (row: DesignRow): PassDesign => ({ ...row, createdAt: iso(row.createdAt) })
