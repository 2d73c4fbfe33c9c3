import { describe, expect, test } from 'bun:test'
import { readConfig } from '@/config/config'

const good = { DATABASE_URL: 'postgres://a@b/c', SECRET_KEY: 'Zk3vT9qLw7Yc2RbN8dXh5PfGm4JsUa6E' }
const keys = { STORAGE_ACCESS_KEY: 'account:user', STORAGE_SECRET_KEY: 'a/b+c' }

const read = (settings: Record<string, string>) => readConfig({ ...good, ...settings }, 'production').storage

describe('the address of the storage', () => {
  test('is in the data folder by default', () => {
    expect(read({ DATA_DIR: '/srv/data' })).toEqual({
      address: { kind: 'disk', folder: '/srv/data/uploads' },
      moveKeys: null,
      scratchFolder: '/srv/data/uploads/scratch',
      keepFree: 536_870_912,
    })
    expect(read({ STORAGE_URL: 'file:///srv/my%20files/', STORAGE_KEEP_FREE: '0' })).toMatchObject({
      address: { kind: 'disk', folder: '/srv/my files' },
      keepFree: 0,
    })
  })

  test('is a bucket with its endpoint, region and prefix', () => {
    expect(
      read({ STORAGE_URL: 's3://pictures/town/hall?endpoint=http://10.0.0.7:9000&region=eu-1', ...keys })
        .address,
    ).toEqual({
      kind: 's3',
      endpoint: 'http://10.0.0.7:9000',
      region: 'eu-1',
      bucket: 'pictures',
      prefix: 'town/hall/',
      accessKey: 'account:user',
      secretKey: 'a/b+c',
    })
    expect(read({ STORAGE_URL: 's3://pictures?region=eu-west-1', ...keys }).address).toMatchObject({
      endpoint: 'https://s3.eu-west-1.amazonaws.com',
      prefix: '',
    })
  })

  test('is refused with a sentence that names the setting and repeats no key', () => {
    const mistakes: [Record<string, string>, RegExp][] = [
      [{ STORAGE_URL: '/srv/files' }, /^STORAGE_URL must be file:\/\/\/path/],
      [{ STORAGE_URL: 'https://x' }, /^STORAGE_URL must be file:\/\/\/path/],
      [{ STORAGE_URL: 'file://host/srv' }, /^STORAGE_URL must be a folder of this machine/],
      [{ STORAGE_URL: 'file:///' }, /^STORAGE_URL must be a folder/],
      [{ STORAGE_URL: 'file:///a%2fb' }, /^STORAGE_URL must be a folder/],
      [{ STORAGE_URL: 's3://bucket' }, /^STORAGE_ACCESS_KEY and STORAGE_SECRET_KEY are required/],
      [{ STORAGE_ACCESS_KEY: 'x' }, /^STORAGE_ACCESS_KEY and STORAGE_SECRET_KEY go together/],
      [{ STORAGE_URL: 's3://key:word@bucket', ...keys }, /^STORAGE_URL must not hold keys/],
      [{ STORAGE_URL: 's3://', ...keys }, /^STORAGE_URL must name a bucket/],
      [{ STORAGE_URL: 's3://bucket?acl=public', ...keys }, /^STORAGE_URL must have the form/],
      [{ STORAGE_URL: 's3://bucket/a%20b', ...keys }, /^The prefix in STORAGE_URL/],
      [{ STORAGE_URL: 's3://bucket/a//b', ...keys }, /^The prefix in STORAGE_URL/],
      [{ STORAGE_URL: 's3://bucket?endpoint=s3.example', ...keys }, /^The endpoint in STORAGE_URL/],
      [{ STORAGE_URL: 's3://bucket?endpoint=https://s3.example/x', ...keys }, /^The endpoint in STORAGE_URL/],
      [{ STORAGE_URL: 's3://bucket?region=a%20b', ...keys }, /^The region in STORAGE_URL/],
      [{ STORAGE_KEEP_FREE: '-1' }, /^STORAGE_KEEP_FREE must be a whole number/],
    ]
    for (const [settings, sentence] of mistakes) {
      expect(() => read(settings)).toThrow(sentence)
      expect(() => read(settings)).not.toThrow(/a\/b\+c|word/)
    }
  })
})
