/** Letters about an account and its safety. */
export const accountMails = {
  signIn: {
    subject: (site: string) => `Sign in to ${site}`,
    type: 'Type this code where you asked for it:',
    orOpen: 'or open this link:',
    button: 'Sign in',
    once: 'The code and the link work once, for 15 minutes.',
    ignore:
      'If you did not ask for this, somebody may have mistyped their address: nothing happens unless you open the link or give the code away.',
    reason: 'You get this because somebody gave this address in order to sign in.',
  },
  webhookDisabled: {
    subject: 'Your webhook was switched off',
    happened: (host: string) =>
      `Your webhook at ${host} was switched off: it failed for five days, or it said that it is gone.`,
    next: 'Once it is well again, switch it on. What could not be delivered can be sent again; what happens while it is off is not kept for it.',
    button: 'See the webhook',
  },
}
