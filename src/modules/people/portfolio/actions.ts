import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { notFound } from '@/core/errors'
import { id } from '@/core/fields'
import { newId } from '@/core/ids'
import { Nothing, PageInput, pageOf } from '@/core/page'
import { iso } from '@/core/shapes'
import { db, type Tx } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { transaction } from '@/db/transaction'
import { usePictures } from '@/modules/people/uploads/use'
import { emit } from '@/outbox/emit'
import { portfolioPictures } from './pictures'
import {
  AS_SORTED,
  countItemsOf,
  deleteItem,
  demandQuotaForItem,
  insertItem,
  listItemsOf,
  type PortfolioRow,
  updateItem,
} from './queries'
import { PortfolioItem, PortfolioItemRequest, portfolioItemChange } from './schema'

export const listPortfolio = action({
  name: 'listPortfolio',
  access: 'read:portfolio',
  summary: 'List your portfolio items',
  input: PageInput,
  output: pageOf(PortfolioItem),
  run: async ({ userId }, input) =>
    keysetPage(
      {
        list: `portfolio:${userId}`,
        input,
        order: AS_SORTED,
        rows: (after) => listItemsOf(db, userId, after),
        total: await countItemsOf(db, userId),
      },
      present,
    ),
})

export const addPortfolioItem = action({
  name: 'addPortfolioItem',
  access: 'write:portfolio',
  summary: 'Add a portfolio item',
  input: PortfolioItemRequest,
  output: PortfolioItem,
  errors: ['conflict'],
  run: ({ userId }, input) =>
    transaction(async (tx) => {
      await demandQuotaForItem(tx, userId)
      const shown = await usePictures(tx, userId, portfolioPictures, input)
      const row = await insertItem(tx, { id: newId(), userId, ...shown })
      await emitPortfolioChanged(tx, userId)
      return present(row)
    }),
})

export const changePortfolioItem = action({
  name: 'changePortfolioItem',
  access: 'write:portfolio',
  summary: 'Change a portfolio item',
  input: Type.Object({ id: id(), ...portfolioItemChange }),
  output: PortfolioItem,
  errors: ['not_found'],
  run: ({ userId }, { id: itemId, ...change }) =>
    transaction(async (tx) => {
      const shown = await usePictures(tx, userId, portfolioPictures, change)
      const row = await updateItem(tx, userId, itemId, shown)
      if (!row) throw notFound('Portfolio item')
      await emitPortfolioChanged(tx, userId)
      return present(row)
    }),
})

export const removePortfolioItem = action({
  name: 'removePortfolioItem',
  access: 'write:portfolio',
  summary: 'Remove a portfolio item',
  input: Type.Object({ id: id() }),
  output: Nothing,
  errors: ['not_found'],
  run: ({ userId }, input) =>
    transaction(async (tx) => {
      if (!(await deleteItem(tx, userId, input.id))) throw notFound('Portfolio item')
      await emitPortfolioChanged(tx, userId)
    }),
})

/** The portfolio is part of the profile. */
const emitPortfolioChanged = (tx: Tx, userId: string) =>
  emit(tx, 'user.updated', { userId, fields: ['portfolio'] })

const present = (row: PortfolioRow): PortfolioItem => ({ ...row, createdAt: iso(row.createdAt) })
