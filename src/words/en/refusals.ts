import { refusals, THINGS, type Thing } from '@/core/refusals'

export const missing = Object.fromEntries(THINGS.map((thing) => [thing, `${thing} not found`])) as Record<
  Thing,
  string
>

/** What pages say instead of a sentence for programs. */
export const onPages: typeof refusals = {
  ...refusals,
  scopesOfMaker: 'A token can only have permissions that you have',
  unknownScopes: 'must be permissions from the list',
  publicClient: 'A public application has no secret',
  urlEncodedOnly: 'The form could not be read',
  multipartOnly: 'The form could not be read',
  objectOnly: 'The form could not be read',
  foreignCursor: 'This part of the list no longer exists: start at the beginning',
  slugTaken: 'That short name is taken',
  confirmWithUrlname: 'To delete a group, confirm with its web address',
  tagIdStays: 'The code of a tag cannot be changed: release the tag, or switch it off',
  designTaken: 'A design with this name exists already',
  unknownDesign: 'must be a design from the list',
  platformBadge: 'must be the short name of a badge of the whole community',
  afterStart: 'must be after the start',
  timeZone: 'must be a name such as Europe/Lisbon',
  time: 'must be a date and a time',
  uuid: 'must be one of the choices',
  boolean: 'must be yes or no',
  object: 'could not be read',
  unique: 'must not contain the same entry twice',
  invalidUnicode: 'contains invalid characters',
  controlCharacters: 'contains invisible control characters',
  scopeMissing: (scope) =>
    scope === 'admin' ? 'Only administrators can open this page' : 'You do not have this permission',
  bodyTooDeep: () => 'The form is too large',
  bodyTooManyValues: () => 'The form is too large',
  bodyTooLarge: () => 'That is too large',
  slugsMax: (max) => `must have at most ${max} short names`,
}
