import { afterEach, describe, expect, test } from 'bun:test'
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { config } from '@/config/config'
import { mayBeginStorage } from '@/modules/people/uploads/present'
import { call, get, post } from '../../../support/api'
import { startUploadChecks } from '../../../support/lanes'
import { ask, asPng, makeUploader, png, send } from '../../../support/uploads'
import { fileUrl, makeFile } from './serve/fixtures'

const { address } = config.storage
const folder = address.kind === 'disk' ? address.folder : ''
const bytes = png()

let putBack = () => {}
afterEach(() => {
  putBack()
  putBack = () => {}
})

/** Takes a folder away, as a disk that is not mounted. */
function takeAway(path: string) {
  renameSync(path, `${path}-away`)
  putBack = () => {
    rmSync(path, { recursive: true, force: true })
    renameSync(`${path}-away`, path)
  }
}

describe('a folder that is away', () => {
  test('is 503 for those who send and those who read, and all goes on when it is back', async () => {
    const { key } = await makeFile()
    const { token } = await makeUploader()
    const { uploadUrl } = await ask(token, asPng(bytes))
    takeAway(folder)
    const shown = await get(fileUrl(key))
    expect([shown.status, shown.body.code]).toEqual([503, 'unavailable'])
    expect(shown.headers.get('cache-control')).toBe('no-store')
    expect((await call('HEAD', fileUrl(key))).status).toBe(503)
    const refused = await send(uploadUrl, bytes)
    expect([refused.status, refused.body.code]).toEqual([503, 'unavailable'])
    expect((await post('/v1/uploads/request', { token, json: asPng(bytes) })).status).toBe(503)
    expect(existsSync(folder)).toBe(false)
    putBack()
    putBack = () => {}
    expect((await get(fileUrl(key))).status).toBe(200)
    const checks = startUploadChecks()
    expect((await send(uploadUrl, bytes)).status).toBe(200)
    await checks.stop()
  })

  test('is not initialized again once the database has files', async () => {
    await makeFile()
    expect(await mayBeginStorage()).toBe(false)
  })
})

test('a folder in which nothing can be begun is 503 for those who send', async () => {
  await makeFile()
  const { token } = await makeUploader()
  const { uploadUrl } = await ask(token, asPng(bytes))
  const scratch = join(folder, 'scratch')
  takeAway(scratch)
  writeFileSync(scratch, 'no folder')
  const refused = await send(uploadUrl, bytes)
  expect([refused.status, refused.body.code]).toEqual([503, 'unavailable'])
})
