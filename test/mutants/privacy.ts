import type { Mutant } from './mutant'

const CHANGES = ['test/modules/account/address-change/address-change.test.ts']
const ERASURE = ['test/modules/account/privacy/leaves-nothing.test.ts']

export const mutants: Mutant[] = [
  {
    name: 'revoking-silences-the-warning',
    file: 'src/modules/access/tokens/area.ts',
    find: 'if (reader === null || items.length === 0) return null',
    replace: 'if (reader === null || tokens.length === 0) return null',
    means: 'Whoever makes a token in an account of somebody else and revokes it at once is never told of.',
    tests: ['test/modules/access/access-mails.test.ts'],
  },
  {
    name: 'thief-deletes-the-account',
    file: 'src/modules/account/me/actions.ts',
    find: 'await demandSettledAddress(tx, userId)',
    replace: '',
    means: 'Whoever changed the address of an account deletes it, and its owner finds nothing left to undo.',
    tests: CHANGES,
  },
  {
    name: 'strangers-close-a-mailbox',
    file: 'src/modules/account/address-change/actions.ts',
    find: 'return first.allowed || further.allowed',
    replace: 'return further.allowed',
    means: 'Whoever asks for somebody’s new address often enough keeps them from it for a day.',
    tests: CHANGES,
  },
  {
    name: 'undo-leaves-the-thief-in',
    file: 'src/modules/account/address-change/pages.ts',
    find: 'await deleteCredentialsOf(tx, userId)',
    replace: '',
    means: 'Whoever changed the address of an account stays signed in after its owner took it back.',
    tests: CHANGES,
  },
  {
    name: 'later-change-survives-an-undo',
    file: 'src/modules/account/address-change/queries.ts',
    find: 'gte(addressChanges.id, id)',
    replace: 'eq(addressChanges.id, id)',
    means: 'A thief who changes an address twice takes it back again after its owner undid it.',
    tests: CHANGES,
  },
  {
    name: 'given-up-address-is-free',
    file: 'src/modules/access/sign-in/people/register.ts',
    find: 'if (email !== null && (await isHeldAddress(tx, email, now()))) throw conflict(HELD)',
    replace: '',
    means:
      'An owner who signs in with the old address gets a new account, which stands in the way of the undo.',
    tests: CHANGES,
  },
  {
    name: 'sign-in-during-an-undo',
    file: 'src/modules/access/sign-in/queries.ts',
    find: ".for('no key update')",
    replace: '',
    means:
      'A sign-in to the address of a thief that is under way gets into an account that has just been taken back.',
    tests: CHANGES,
  },
  {
    name: 'sign-in-mails-outlive-their-reader',
    file: 'src/modules/account/privacy/erase.ts',
    find: 'if (email !== null) await forgetMailsTo(tx, email.toLowerCase())',
    replace: '',
    means: 'The address of somebody who is gone is still there, and a link that makes the account anew.',
    tests: ERASURE,
  },
  {
    name: 'guests-outlive-their-account',
    file: 'src/modules/account/privacy/erase.ts',
    find: 'if (email !== null) await deleteGuestsWith(tx, email.toLowerCase())',
    replace: '',
    means: 'A person who deleted their account is still written down at the doors they passed.',
    tests: ['test/modules/gatherings/checkins/guests.test.ts'],
  },
  {
    name: 'words-outlive-their-author',
    file: 'src/modules/account/privacy/erase.ts',
    find: 'await deleteTextsOf(tx, id)',
    replace: '',
    means: 'The names of tokens and files of somebody who is gone stay among the domain events.',
    tests: ERASURE,
  },
  {
    name: 'told-words-outlive-their-author',
    file: 'src/modules/account/privacy/erase.ts',
    find: 'await deleteWordsTold(tx, userId)',
    replace: '',
    means:
      'The names of tokens and files of somebody who is gone stay in what webhooks were told, for a month.',
    tests: ERASURE,
  },
]
