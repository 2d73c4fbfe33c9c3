import type { Described } from './command'

export const TAGS_MAX = 100_000

/** All commands in the order of the help, which needs neither settings nor a database. */
export const CATALOGUE = {
  doctor: {
    name: 'doctor',
    summary:
      'Checks everything that a server needs and reports the status and what to do. Changes nothing; may run beside the server.',
    example: 'folkmoot doctor',
  },
  admin: {
    name: 'admin create',
    summary:
      'Makes the account of an email address an administrator, creating it if needed, and prints a sign-in link: valid once, within an hour, in any browser. Needs neither mail nor a provider.',
    example: 'folkmoot admin create ada@folkmoot.example',
    takes: ['address'],
  },
  token: {
    name: 'token create',
    summary:
      'Creates a personal access token for a person and prints it, once. Allows the scopes of their role, and they get an email.',
    example: "folkmoot token create ada --name 'Nightly report' --scopes 'read:events read:groups' --days 90",
    takes: ['address or username'],
    options: {
      '--name': { what: 'Name of the token, for its owner.', value: 'name', needed: true },
      '--scopes': {
        what: 'Separated by spaces or commas, from GET /v1/scopes.',
        value: 'scopes',
        needed: true,
      },
      '--days': { what: 'Days until it expires, 1 to 365; by default never.', value: 'number' },
    },
  },
  mint: {
    name: 'tags mint',
    summary:
      'Mints blank NFC tags and writes a new CSV file for a supplier or tag writer: id, code to print, address and NDEF message.',
    example: 'folkmoot tags mint --count 500 --to tags.csv',
    options: {
      '--count': { what: `How many, 1 to ${TAGS_MAX.toLocaleString('en')}.`, value: 'number', needed: true },
      '--to': {
        what: 'The file, which must not exist. Only you can read it (0600).',
        value: 'file',
        needed: true,
      },
      '--design': { what: 'The design of the tags.', value: 'id' },
    },
  },
  migrate: {
    name: 'migrate',
    summary: 'Migrates the database schema, as every start does, and lists the migrations.',
    example: 'folkmoot migrate --check',
    options: { '--check': { what: 'Only lists pending migrations.' } },
  },
  jobs: {
    name: 'jobs',
    summary:
      'Shows the status of background work: queues, print sheets, domain events, webhook messages, uploaded files, emails.',
    example: 'folkmoot jobs --json',
  },
  deadJobs: {
    name: 'jobs dead',
    summary:
      'Lists failed work with its last error: reactions to domain events, webhook messages, jobs and emails; and domain events that cannot be relayed.',
    example: 'folkmoot jobs dead',
  },
  retryJobs: {
    name: 'jobs retry',
    summary: 'Retries failed work: one item by id, all of a kind, or all.',
    example: 'folkmoot jobs retry reactions',
    takes: ['id, kind or all'],
  },
  backup: {
    name: 'backup',
    summary:
      'Writes the database, the SECRET_KEY and the uploaded files into one file while the server runs, and verifies it.',
    example: 'folkmoot backup --to /var/backups/folkmoot --keep 14',
    options: {
      '--to': {
        what: 'The file, or a folder for a dated one. Without it, the current folder.',
        value: 'place',
      },
      '--keep': {
        what: 'Keeps this many dated backups in the folder and deletes older ones.',
        value: 'number',
      },
      '--no-files': { what: 'Omits the uploaded files.' },
    },
  },
  backupVerify: {
    name: 'backup verify',
    summary: 'Reads a whole backup and compares its checksums.',
    example: 'folkmoot backup verify folkmoot-2026-03-01T020000Z.backup',
    takes: ['file'],
  },
  restore: {
    name: 'restore',
    summary: 'Restores a backup into a new DATA_DIR, or into an empty database at DATABASE_URL.',
    example: 'DATA_DIR=/srv/folkmoot/data folkmoot restore folkmoot-2026-03-01T020000Z.backup',
    takes: ['file'],
  },
  storageDoctor: {
    name: 'storage doctor',
    summary:
      'Compares uploads and print sheets in the database with the files in the storage, and reports differences.',
    example: 'folkmoot storage doctor --hash',
    options: { '--hash': { what: 'Also reads every file and compares its hash.' } },
  },
  storageMove: {
    name: 'storage move',
    summary:
      'Copies all uploaded files from STORAGE_URL to another address and verifies each. Can be interrupted and repeated, also while the server runs.',
    example: "folkmoot storage move 's3://bucket?endpoint=https://s3.example'",
    takes: ['address'],
  },
} satisfies Record<string, Described>

export const DESCRIBED: Described[] = Object.values(CATALOGUE)
