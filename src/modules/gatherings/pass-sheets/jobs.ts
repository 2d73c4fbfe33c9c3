import { Type } from '@sinclair/typebox'
import { id } from '@/core/fields'
import { job } from '@/jobs/job'

/** Makes the file of a sheet. */
export const sheetJob = job({
  name: 'pass-sheet',
  input: Type.Object({ sheetId: id() }),
  result: Type.Object({}),
  run: async () => ({}),
})
