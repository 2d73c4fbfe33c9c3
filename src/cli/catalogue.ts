import type { Described } from './command'

export const TAGS_MAX = 100_000

/** All commands in the order of the help, which needs neither settings nor a database. */
export const CATALOGUE = {
  doctor: {
    name: 'doctor',
    summary:
      'Looks at everything that a server needs, and says of each thing how it stands and what to do. It changes nothing, and may run beside the server.',
    example: 'folkmoot doctor',
  },
  admin: {
    name: 'admin create',
    summary:
      'Makes the account of a mail address an administrator, or makes the account first, and prints a link that signs them in: once, within an hour, in any browser. It needs neither mail nor a provider.',
    example: 'folkmoot admin create ada@folkmoot.example',
    takes: ['address'],
  },
  token: {
    name: 'token create',
    summary:
      'Makes a personal access token of somebody and prints it, once. It can have the scopes that their role allows, and they are told by mail.',
    example: "folkmoot token create ada --name 'Nightly report' --scopes 'read:events read:groups' --days 90",
    takes: ['address or username'],
    options: {
      '--name': { what: 'What its owner reads of it.', value: 'name', needed: true },
      '--scopes': {
        what: 'Separated by spaces or commas, from GET /v1/scopes.',
        value: 'scopes',
        needed: true,
      },
      '--days': { what: 'How long it works, 1 to 365; left out, it does not end.', value: 'number' },
    },
  },
  mint: {
    name: 'tags mint',
    summary:
      'Mints blank NFC tags and writes what a supplier or a writer of tags needs to a new CSV file: id, code to print, address and NDEF message.',
    example: 'folkmoot tags mint --count 500 --to tags.csv',
    options: {
      '--count': { what: `How many, 1 to ${TAGS_MAX.toLocaleString('en')}.`, value: 'number', needed: true },
      '--to': {
        what: 'The file, which must not be there yet. It is made for you alone (0600).',
        value: 'file',
        needed: true,
      },
      '--design': { what: 'The design that they have.', value: 'id' },
    },
  },
  migrate: {
    name: 'migrate',
    summary:
      'Brings the schema of the database up to date, as every start does, and says which migrations were run.',
    example: 'folkmoot migrate --check',
    options: { '--check': { what: 'Says which would be run, and changes nothing.' } },
  },
  jobs: {
    name: 'jobs',
    summary:
      'How the work in the background stands: queues, print sheets, domain events, webhook messages, uploaded files, mails.',
    example: 'folkmoot jobs --json',
  },
  deadJobs: {
    name: 'jobs dead',
    summary:
      'Failed work, with its last error: reactions to domain events, webhook messages, long work and mails; and domain events that cannot be relayed.',
    example: 'folkmoot jobs dead',
  },
  retryJobs: {
    name: 'jobs retry',
    summary: 'Lets work be tried again that was given up: one piece by its id, all of a kind, or all.',
    example: 'folkmoot jobs retry reactions',
    takes: ['id, kind or all'],
  },
  backup: {
    name: 'backup',
    summary:
      'Writes the database, the SECRET_KEY and the uploaded files into one file, while the server runs, and reads it back.',
    example: 'folkmoot backup --to /var/backups/folkmoot --keep 14',
    options: {
      '--to': {
        what: 'The file, or a folder for a dated one. Without it, the current folder.',
        value: 'place',
      },
      '--keep': {
        what: 'Keeps so many dated backups in the folder and removes older ones.',
        value: 'number',
      },
      '--no-files': { what: 'Leaves the uploaded files out.' },
    },
  },
  backupVerify: {
    name: 'backup verify',
    summary: 'Reads a backup from beginning to end and compares it with its checksums.',
    example: 'folkmoot backup verify folkmoot-2026-03-01T020000Z.backup',
    takes: ['file'],
  },
  restore: {
    name: 'restore',
    summary: 'Brings a backup back into a new DATA_DIR, or into an empty database of DATABASE_URL.',
    example: 'DATA_DIR=/srv/folkmoot/data folkmoot restore folkmoot-2026-03-01T020000Z.backup',
    takes: ['file'],
  },
  storageDoctor: {
    name: 'storage doctor',
    summary:
      'Compares uploads and print sheets in the database with the files in the storage, and says what is wrong.',
    example: 'folkmoot storage doctor --hash',
    options: { '--hash': { what: 'Reads every file and compares its content, too.' } },
  },
  storageMove: {
    name: 'storage move',
    summary:
      'Copies all uploaded files from STORAGE_URL to another address and reads each back. It can be ended and run again, also while the server runs.',
    example: "folkmoot storage move 's3://bucket?endpoint=https://s3.example'",
    takes: ['address'],
  },
} satisfies Record<string, Described>

export const DESCRIBED: Described[] = Object.values(CATALOGUE)
