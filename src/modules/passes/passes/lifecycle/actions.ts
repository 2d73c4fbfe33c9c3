import { action } from '@/core/action'
import { conflict } from '@/core/errors'
import { Success } from '@/core/page'
import { refusals } from '@/core/refusals'
import { transaction } from '@/db/transaction'
import { emit } from '@/outbox/emit'
import { demandOwn, demandPassId } from '../demand-own'
import { newPassId } from '../id'
import { presentPass } from '../present'
import { findOwnPass, releaseTag, renameQrPass } from '../queries'
import { Meetpass, PassInput } from '../schema'
import { claimTag } from './claim'

export const claimPass = action({
  name: 'claimPass',
  access: 'write:meetpass',
  summary: 'Claim a blank tag',
  description: 'From then on a tap on it shows you. Whoever asks first gets it.',
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
    'It is blank again, for whoever claims it next; its label, its design and its settings are gone. The people whom you met by it stay in your list.',
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
  summary: 'Give your QR pass a new id',
  description:
    'Printed copies of the old one are dead at once. Its settings and the people whom you met by it stay.',
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
