import { describe, expect, test } from 'bun:test'
import { EMPTY_HASH, presignedUrl, queryOf, signedHeaders } from '@/outbound/storage/s3/sign'

// Requests and signatures as Amazon publishes them in "Signature Calculations for the Authorization Header" and in
// "Using Query Parameters" of its S3 API reference.
const example = {
  at: new Date('2013-05-24T00:00:00Z'),
  region: 'us-east-1',
  keys: { accessKey: 'AKIAIOSFODNN7EXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' },
}
const at = (path: string) => new URL(`https://examplebucket.s3.amazonaws.com${path}`)

describe('the signature of a request to S3', () => {
  test('is the published one', () => {
    const sign = (method: string, path: string, headers: Record<string, string> = {}, hash = EMPTY_HASH) =>
      signedHeaders({ ...example, method, url: at(path), headers }, hash).authorization
    const credential =
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders='
    expect(sign('GET', '/test.txt', { Range: 'bytes=0-9' })).toBe(
      `${credential}host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41`,
    )
    expect(
      sign(
        'PUT',
        '/test$file.text',
        { Date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
        '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
      ),
    ).toBe(
      `${credential}date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class,Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd`,
    )
    expect(sign('GET', '/?lifecycle')).toEndWith(
      'Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    )
    expect(sign('GET', '/?max-keys=2&prefix=J')).toEndWith(
      'Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    )
  })

  test('in an address is the published one', () => {
    expect(presignedUrl({ ...example, method: 'GET', url: at('/test.txt'), headers: {} }, 86_400)).toBe(
      'https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256' +
        '&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
        '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
        '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    )
  })

  test('in an address holds to everything that was said, and names each signed header', () => {
    const request = {
      ...example,
      method: 'PUT',
      url: at('/a'),
      headers: { 'content-length': '5', 'content-type': 'image/png' },
    }
    const signatureOf = (change: object, seconds = 900) =>
      new URL(presignedUrl({ ...request, ...change }, seconds)).searchParams.get('X-Amz-Signature')
    const all = [
      signatureOf({}),
      signatureOf({ method: 'POST' }),
      signatureOf({ url: at('/b') }),
      signatureOf({ headers: { ...request.headers, 'content-length': '6' } }),
      signatureOf({ headers: { ...request.headers, 'content-type': 'text/html' } }),
      signatureOf({ at: new Date('2013-05-24T00:00:01Z') }),
      signatureOf({ region: 'eu-1' }),
      signatureOf({ keys: { ...request.keys, secretKey: 'other' } }),
      signatureOf({ keys: { ...request.keys, accessKey: 'test:tester' } }),
      signatureOf({}, 901),
    ]
    expect(new Set(all).size).toBe(all.length)
    expect(presignedUrl(request, 900)).toContain('SignedHeaders=content-length%3Bcontent-type%3Bhost&')
    const colon = { ...request, keys: { ...request.keys, accessKey: 'test:tester' } }
    expect(presignedUrl(colon, 900)).toContain('Credential=test%3Atester%2F2013')
  })

  test('is made over the query as it is sent', () => {
    const url = at('/')
    url.searchParams.set('prefix', "a b+c*~'(é)/")
    expect(queryOf(url)).toBe('prefix=a%20b%2Bc%2A~%27%28%C3%A9%29%2F')
  })
})
