import { config } from '@/config/config'
import { sheetJob } from '@/modules/gatherings/pass-sheets/jobs'
import { apiUrl, get, post } from '../../../support/api'
import { runNextJob } from '../../../support/lanes'

type Place = { at: string; manage: string; volunteer: { token: string } }

/** Asks for a sheet, has it made, and reads it. */
export async function made({ at, manage, volunteer: { token } }: Place, json: object) {
  const { body } = await post(`${at}/pass-sheets`, { token, json })
  await work()
  return (await get(`${manage}/pass-sheets/${body.data.id}`, { token })).body.data
}

/** Does what workers have to do. */
export async function work() {
  while (await runNextJob([sheetJob])) {}
}

export const fetchFile = (url: string) => fetch(url.replace(config.baseUrl, apiUrl()))

export const bytesOf = async (url: string) => new Uint8Array(await (await fetchFile(url)).arrayBuffer())
