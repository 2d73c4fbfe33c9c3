import type { S3Address } from '@/config/storage-address'
import { s3Client } from '@/outbound/storage/s3/client'
import { ACCESS_KEY, SECRET_KEY } from './config'
import type { Swift } from './swift'

/** A new bucket, as the driver and as the settings of a process name it. */
export async function newBucket({ endpoint }: Swift, prefix = '') {
  const bucket = `b-${crypto.randomUUID()}`
  const address: S3Address = {
    kind: 's3',
    endpoint,
    region: 'us-east-1',
    bucket,
    prefix,
    accessKey: ACCESS_KEY,
    secretKey: SECRET_KEY,
  }
  await s3Client(address).call({ method: 'PUT', key: '' })
  const url = `s3://${bucket}/${prefix}?endpoint=${endpoint}`
  const keys = { STORAGE_ACCESS_KEY: ACCESS_KEY, STORAGE_SECRET_KEY: SECRET_KEY }
  return { address, url, keys, settings: { STORAGE_URL: url, ...keys } }
}
