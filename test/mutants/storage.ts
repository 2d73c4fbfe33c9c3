import type { Mutant } from './mutant'

export const mutants: Mutant[] = [
  {
    name: 'any-name-is-a-path',
    file: 'src/outbound/storage/object-names.ts',
    find: 'if (!isObjectName(name)) throw',
    replace: "if (name === '') throw",
    means: 'A name that somebody made up leads out of the folder.',
    tests: ['test/outbound/storage/disk.test.ts'],
  },
  {
    name: 'unfinished-files-stay',
    file: 'src/outbound/storage/local/disk.ts',
    find: '    await rm(from, { force: true })\n',
    replace: '',
    means: 'What could not be stored fills the disk.',
    tests: ['test/outbound/storage/disk.test.ts'],
  },
  {
    name: 'uploads-take-the-last-of-the-disk',
    file: 'src/outbound/storage/local/disk.ts',
    find: 'bavail * bsize - keepFree',
    replace: 'bavail * bsize',
    means: 'The database stops when people have uploaded enough.',
    tests: ['test/outbound/storage/disk.test.ts'],
  },
  {
    name: 'any-length-is-taken',
    file: 'src/outbound/storage/s3/s3.ts',
    find: "{ 'content-length': String(length), 'content-type': type }",
    replace: "{ 'content-type': type }",
    means: 'An address for a small picture takes a large film.',
    tests: ['test/faults/s3.test.ts'],
  },
  {
    name: 'a-lost-bucket-is-an-empty-one',
    file: 'src/outbound/storage/s3/client.ts',
    find: "code === 'NoSuchKey' || call.method === 'HEAD'",
    replace: 'true',
    means: 'With a mistyped bucket, every picture is simply not there.',
    tests: ['test/outbound/storage/s3-failures.test.ts'],
  },
  {
    name: 'silence-is-waited-for',
    file: 'src/outbound/storage/s3/body.ts',
    find: "stop.abort(new DOMException('', 'TimeoutError'))",
    replace: 'undefined',
    means: 'A store that falls silent holds a reader for ever.',
    tests: ['test/outbound/storage/s3-failures.test.ts'],
  },
]
