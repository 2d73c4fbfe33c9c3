/** Error messages for programs, reworded for pages. */
const said: Record<string, string> = {
  'This token lacks the scope admin': 'Only administrators can open this page',
  'A token can only have scopes that its maker has': 'A token can only have permissions that you have',
  'must be names from GET /v1/scopes': 'must be permissions from the list',
  'A public client has no secret': 'A public application has no secret',
  'Send the body as application/x-www-form-urlencoded': 'The form could not be read',
  'Send the body as multipart/form-data': 'The form could not be read',
  'The body must be an object': 'The form could not be read',
  'This cursor does not belong to this list: start again without one':
    'This part of the list no longer exists: start at the beginning',
  'That slug is taken': 'That short name is taken',
  'To delete a group, confirm with its urlname': 'To delete a group, confirm with its web address',
  'The id of a tag is written on it: release the tag, or switch it off':
    'The code of a tag cannot be changed: release the tag, or switch it off',
  'There is a design with this id already': 'A design with this name exists already',
  'must be the id of a design': 'must be a design from the list',
  'must be the slug of a badge of the platform': 'must be the short name of a badge of the whole community',
  'must be after startTime': 'must be after the start',
  'must be an IANA name such as Europe/Lisbon': 'must be a name such as Europe/Lisbon',
  'must be a time such as 2026-05-01T18:30:00Z': 'must be a date and a time',
  'must be a UUID such as 01890000-0000-7000-8000-000000000000': 'must be one of the choices',
  'must be true or false': 'must be yes or no',
  'must be an object': 'could not be read',
  'must not repeat an item': 'must not contain the same entry twice',
  'is not valid Unicode': 'contains invalid characters',
  'may not hold control characters': 'contains invisible control characters',
}

/** The same for messages with a value. */
const saidWith: readonly (readonly [RegExp, (...found: string[]) => string])[] = [
  [/^The body may (?:hold|be nested) at most /, () => 'The form is too large'],
  [/^The body may be at most (\d+) bytes$/, () => 'That is too large'],
  [/^must be one of /, () => 'must be one of the choices'],
  [/^must be a list of (\d+) to (\d+) items$/, (min, max) => `must have ${min} to ${max} entries`],
  [/^must be a list of at most (\d+) items$/, (max) => `must have at most ${max} entries`],
  [/^must be a list of at least (\d+) items?$/, (min) => `must have at least ${min} entries`],
  [/^must hold at most (\d+) slugs$/, (max) => `must have at most ${max} short names`],
  [/^must be an object of at most (\d+) http or https addresses/, (max) => `must have at most ${max} links`],
  [/^must be the address of an? \w+ that you uploaded/, () => 'must be a picture that you uploaded here'],
]

/** Error messages by code, for pages. */
export const errors = {
  titles: {
    401: 'You are not signed in',
    403: 'This cannot be done',
    404: 'There is nothing here',
    410: 'This no longer works',
    429: 'Please wait a moment',
    500: 'Something went wrong',
    503: 'Please try again in a moment',
  } as Record<number, string>,
  otherTitle: 'That did not work',
  /** What the person can do, without a page to return to. */
  advice: {
    404: 'The address may be mistyped, or what was here has been moved or deleted.',
    429: 'Nothing is lost.',
    503: 'Nothing is lost.',
  } as Record<number, string>,
  signInToGoOn: 'Sign in to go on',
  goToSignIn: 'Go to sign-in',
  goToFront: 'Go to the home page',
  tryAgain: 'Try again',
  triesItself: 'Nothing is lost. This page retries automatically.',
  /** Precedes the request id, which finds the request in the server's log. */
  request: 'Request',
  damaged: 'This page was not complete: load it again and repeat it',
  /** A form whose session ended after its page was rendered. */
  kept: {
    ended: 'Your sign-in has ended',
    endedText:
      'Nothing is lost: what you typed is still here. Sign in (that opens in a new tab), come back to this one, and send it again.',
    signIn: 'Sign in in a new tab',
    sendAgain: 'Send again',
    check: 'Check and send',
    checkText: 'You have signed in again since this form was made. Check what you typed, then send it.',
    send: 'Send',
    files: 'Only a file may be missing: if you chose a picture, check it after sending.',
    /** The form could not be processed right now. */
    unsent: 'Nothing is lost: what you typed is still here. Send it again in a moment.',
  },
  /** Translations by English message. English has entries only for messages that address programs. */
  said,
  /** The same for messages with values: a pattern for the English message, and a function of its groups. */
  saidWith,
  /** Appended to the requirement of a field that may be empty. */
  orEmpty: ', or empty',
  /** A field error without a translation. */
  unfit: undefined as string | undefined,
  /** An error without a translation. */
  unsaid: {} as Record<number, string>,
}
