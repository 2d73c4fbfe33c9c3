/** Reasons that schemas compose, by pattern, where people need other words than programs. */
const reasons: readonly (readonly [RegExp, (...found: string[]) => string])[] = [
  [/^must be one of /, () => 'must be one of the choices'],
  [/^must be a list of (\d+) to (\d+) items$/, (min, max) => `must have ${min} to ${max} entries`],
  [/^must be a list of at most (\d+) items$/, (max) => `must have at most ${max} entries`],
  [/^must be a list of at least (\d+) items?$/, (min) => `must have at least ${min} entries`],
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
  reasons,
  /** Appended to the requirement of a field that may be empty. */
  orEmpty: ', or empty',
  /** A field error without a translation. */
  unfit: undefined as string | undefined,
  /** An error without a translation. */
  unsaid: {} as Record<number, string>,
}
