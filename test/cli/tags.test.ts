import { describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inArray } from 'drizzle-orm'
import { mint } from '@/cli/tags'
import { db } from '@/db/client'
import { passes } from '@/db/tables/passes'
import { get } from '../support/api'
import { runFolkmoot } from '../support/command-line'

const newFile = () => join(mkdtempSync(join(tmpdir(), 'folkmoot-tags-')), 'tags.csv')

const run = (options: Record<string, string>) =>
  mint.run([], { asJson: true, options: new Map(Object.entries(options)) })

describe('folkmoot tags mint', () => {
  test('writes more tags than one call mints into a private file', async () => {
    const file = newFile()
    const { data } = JSON.parse((await run({ '--count': '1001', '--to': file })).text)
    expect(data).toEqual({ minted: 1001, file })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const [header, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\r\n')
    expect(header).toBe('id,code,url,ndefHex')
    const ids = lines.map((line) => line.split(',')[0] as string)
    expect(new Set(ids).size).toBe(1001)
    expect(await db.$count(passes, inArray(passes.id, ids))).toBe(1001)
    const [, code, url = '', ndefHex = ''] = lines[1000]?.split(',') ?? []
    expect(code).toMatch(/^(\w{4}-){3}\w{4}$/)
    expect(url).toEndWith(`/pass/${ids[1000]}`)
    expect(Buffer.from(ndefHex, 'hex').toString('latin1')).toContain(`/pass/${ids[1000]}`)
    expect((await get(`/pass/${ids[1000]}`)).body.data).toMatchObject({ pass: { type: 'nfc' }, owner: null })
  })

  test('overwrites nothing and leaves no file if nothing was minted', async () => {
    const file = newFile()
    writeFileSync(file, 'in use')
    await expect(run({ '--count': '1', '--to': file })).rejects.toThrow('is there already')
    expect(readFileSync(file, 'utf8')).toBe('in use')
    const other = newFile()
    await expect(run({ '--count': '1', '--to': other, '--design': 'nonsense' })).rejects.toMatchObject({
      appCode: 'validation_error',
    })
    expect(() => statSync(other)).toThrow('ENOENT')
  })

  test('reports missing arguments', async () => {
    const { errors, exitCode } = await runFolkmoot(['tags', 'mint', '--to', newFile()], {
      DATABASE_URL: process.env.TEST_DATABASE_URL as string,
    })
    expect([exitCode, errors.split('\n')[0]]).toEqual([2, '--count must be a whole number from 1 to 100000.'])
    await expect(run({ '--count': '1' })).rejects.toThrow('--to must name the file')
    await expect(run({ '--count': '1', '--to': '/nowhere/tags.csv' })).rejects.toThrow(
      'cannot be written (ENOENT)',
    )
  })
})
