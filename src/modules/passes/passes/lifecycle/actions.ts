import { action } from '@/core/action'
import { conflict } from '@/core/errors'
import { Success } from '@/core/page'
import { refusals } from '@/core/refusals'
import { transaction } from '@/db/transaction'
import { emit } from '@/outbox/emit'
import { demandOwn, demandPassId, newPassId } from '../id'
import { presentPass } from '../present'
import { findOwnPass, releaseTag, renameQrPass } from '../queries'
import { Meetpass, PassInput } from '../schema'
import { claimTag } from './claim'

export const claimPass = action({
  name: 'claimPass',
  access: 'write:meetpass',
  summary: 'Claim a blank tag',
  description: 'A tap then shows your card. The first claim wins.',
  input: PassInput,
  output: Meetpass,
  errors: ['not_found', 'conflict'],
  failureLimit: true,
  run: ({ userId }, { id }) => transaction(async (tx) => presentPass(await claimTag(tx, userId, id))),
})

export const releasePass = action({
  name: 'releasePass',
  access: 'write:meetpass',
  summary: 'Release a tag',
  description:
    'Makes it blank, so that anyone can claim it. Its label, design and settings are deleted; your connections stay.',
  input: PassInput,
  output: Success,
  errors: ['not_found', 'conflict'],
  run: ({ userId }, input) =>
    transaction(async (tx) => {
      const id = demandPassId(input.id)
      if (!(await releaseTag(tx, userId, id))) {
        demandOwn(await findOwnPass(tx, userId, id))
        throw conflict(refusals.qrPassStays)
      }
      await emit(tx, 'meetpass.released', { userId, passId: id })
      return { success: true } as const
    }),
})

export const rotatePass = action({
  name: 'rotatePass',
  access: 'write:meetpass',
  summary: 'Replace the id of your QR pass',
  description: 'Printed copies with the old id stop working at once. Settings and connections stay.',
  input: PassInput,
  output: Meetpass,
  errors: ['not_found', 'conflict'],
  run: ({ userId }, input) =>
    transaction(async (tx) => {
      const previousId = demandPassId(input.id)
      const rotated = await renameQrPass(tx, userId, previousId, newPassId())
      if (!rotated) {
        demandOwn(await findOwnPass(tx, userId, previousId))
        throw conflict(refusals.tagIdStays)
      }
      await emit(tx, 'meetpass.updated', { userId, passId: rotated.id, fields: ['id'], previousId })
      return presentPass(rotated)
    }),
})
