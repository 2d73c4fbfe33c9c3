import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { invalidField } from '@/core/errors'
import { refusals } from '@/core/refusals'
import { db } from '@/db/client'
import { explain } from '@/db/conflicts'
import { transaction } from '@/db/transaction'
import { countPeopleMet, countPeopleMetBy } from '@/modules/passes/connections/queries'
import { emit } from '@/outbox/emit'
import { demandOwn, demandPassId } from './id'
import { qrPassOf } from './own-qr'
import { presentPass, reachOf, withDesign } from './present'
import { findOwnPass, findQrPasses, listPassesOf, lockOwnPass, SETTINGS, updateOwnPass } from './queries'
import { Meetpass, MeetpassDetail, Meetpasses, PassChange, PassInput, QrMeetpass } from './schema'

export const listPasses = action({
  name: 'listPasses',
  access: 'read:meetpass',
  summary: 'List your passes',
  description: 'Creates your QR pass on first use.',
  input: Type.Object({}),
  output: Meetpasses,
  run: async ({ userId }) => ({
    passes: (await passesWithQr(userId)).map(withDesign),
    totalConnections: await countPeopleMet(db, userId),
  }),
})

export const readQrPass = action({
  name: 'readQrPass',
  access: 'read:meetpass',
  summary: 'Read your QR pass',
  description: 'Created on first use.',
  input: Type.Object({}),
  output: QrMeetpass,
  run: async ({ userId }) => {
    const [kept] = await findQrPasses(db, [userId])
    const pass = kept ?? (await transaction((tx) => qrPassOf(tx, userId)))
    return { ...presentPass(pass), ...reachOf(pass, await countPeopleMetBy(db, userId, pass.id)) }
  },
})

export const readPass = action({
  name: 'readPass',
  access: 'read:meetpass',
  summary: 'Read one of your passes',
  input: PassInput,
  output: MeetpassDetail,
  errors: ['not_found'],
  run: async ({ userId }, input) => {
    const found = demandOwn(await findOwnPass(db, userId, demandPassId(input.id)))
    const people = await countPeopleMetBy(db, userId, found.pass.id)
    return { ...withDesign(found), ...reachOf(found.pass, people) }
  },
})

export const changePass = action({
  name: 'changePass',
  access: 'write:meetpass',
  summary: 'Change the settings of one of your passes',
  description: 'Omitted fields stay unchanged. Printed copies and tags keep working.',
  input: PassChange,
  output: Meetpass,
  errors: ['not_found'],
  run: ({ userId }, { id, autoFollow, isActive, ...settings }) =>
    transaction(async (tx) => {
      const change = {
        ...settings,
        ...(autoFollow !== undefined && { autoFollow: autoFollow === 1 }),
        ...(isActive !== undefined && { isActive: isActive === 1 }),
      }
      const before = demandOwn(await lockOwnPass(tx, userId, demandPassId(id)))
      const pass = demandOwn(await updateOwnPass(tx, userId, before.id, change).catch(explainNoDesign))
      const fields = SETTINGS.filter((field) => pass[field] !== before[field])
      if (fields.length > 0)
        await emit(tx, 'meetpass.updated', { userId, passId: pass.id, fields, previousId: null })
      return presentPass(pass)
    }),
})

async function passesWithQr(userId: string) {
  const found = await listPassesOf(db, userId)
  if (found.some(({ pass }) => pass.type === 'qrcode')) return found
  await transaction((tx) => qrPassOf(tx, userId))
  return listPassesOf(db, userId)
}

const explainNoDesign = explain({
  passes_design_id_pass_designs_id_fk: () => invalidField('designId', refusals.unknownDesign),
})
