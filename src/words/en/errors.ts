import { said, saidWith } from './refusals'

/** Refusals in words for people. */
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
  /** What people can do about it, where no page is known that they came from. */
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
  /** Before the number of a request, which finds it in the server's log. */
  request: 'Request',
  damaged: 'This page was not complete: load it again and repeat it',
  /** A form whose session has ended since its page was made. */
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
    /** Where it could not be taken for now. */
    unsent: 'Nothing is lost: what you typed is still here. Send it again in a moment.',
  },
  /** A refusal of a rule, by its English sentence; English says it as it is, except to programs. */
  said,
  /** The same for sentences that hold a value: the pattern of the English one, and what to say with what it found. */
  saidWith,
  /** After what a field should be, where it may stay empty as well. */
  orEmpty: ', or empty',
  /** What is wrong with a field, where the reason has no words in this language. */
  unfit: undefined as string | undefined,
  /** For a refusal that has no sentence of its own in this language. */
  unsaid: {} as Record<number, string>,
}
