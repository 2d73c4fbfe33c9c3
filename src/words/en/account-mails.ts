/** Letters about an account and its security. */
export const accountMails = {
  signIn: {
    subject: (site: string) => `Sign in to ${site}`,
    type: 'Type this code where you asked for it:',
    orOpen: 'or open this link:',
    button: 'Sign in',
    once: 'The code and the link work once, for 15 minutes.',
    ignore:
      'If you did not request this, someone may have mistyped their address: nothing happens unless you open the link or share the code.',
    reason: 'You get this because someone entered this address to sign in.',
  },
  addressConfirm: {
    subject: (site: string) => `Confirm your address at ${site}`,
    asked: (site: string) =>
      `Someone wants to use this address for their account at ${site}. If that is you, confirm it:`,
    button: 'Look and confirm',
    until:
      'Open the link in the browser in which you asked for it. It works once, for a day, while you stay signed in there.',
    taken:
      'Someone wants to use this address for another account. It already has an account here, so nothing changes.',
    takenNext:
      'If that was you: sign in with this address as usual. To use it for the other account, first change or delete this one.',
    ignore:
      'If you did not request this, someone may have mistyped their address: you do not need to do anything.',
    reason: 'You get this because someone entered this address for their account.',
  },
  addressNotice: {
    asked: (site: string) => `Someone wants to change the address of your account at ${site}`,
    changed: (site: string) => `The address of your account at ${site} was changed`,
    willHappen: (email: string) =>
      `Your account will have the address ${email} instead of this one, as soon as that is confirmed there.`,
    happened: (email: string) => `Your account has the address ${email} now, instead of this one.`,
    wasYou: 'If that was you, you need not do anything.',
    wasNotYou: 'If it was not you, undo it. That signs out all devices, and only this address can sign in:',
    button: 'This was not me',
    until: (day: string) => `This works until ${day}, even if other things change until then.`,
    untilThen: 'This works now, and for seven days after the change, even if other things change until then.',
  },
  webhookDisabled: {
    subject: 'Your webhook was switched off',
    happened: (host: string) =>
      `Your webhook at ${host} was switched off: it failed for five days, or it said that it is gone.`,
    next: 'Once it is well again, switch it on. What could not be delivered can be sent again; what happens while it is off is not kept for it.',
    button: 'See the webhook',
  },
  tokenMade: {
    subject: 'A new access token in your account',
    text: 'A token is a password for a program. This was made in your account:',
    expires: (day: string) => `works until ${day}`,
    never: 'does not expire',
    ended: (count: number) =>
      count === 1
        ? 'one token that was made and has ended since'
        : `${count} tokens that were made and have ended since`,
    notYou: 'If it was not you, revoke it, and sign out devices that you do not recognize.',
    button: 'See your tokens',
  },
  appConnected: {
    subject: 'An application may act for you now',
    text: 'You allowed this application to act for you, or to do more than before:',
    ended: (count: number) =>
      count === 1
        ? 'one application that was connected and has ended since'
        : `${count} applications that were connected and have ended since`,
    notYou: 'If it was not you, disconnect it, and sign out devices that you do not recognize.',
    button: 'See connected applications',
  },
  appRegistered: {
    subject: 'A new application in your account',
    text: 'This application was registered in your name. Others may connect it to their accounts:',
    ended: (count: number) =>
      count === 1
        ? 'one application that was registered and has ended since'
        : `${count} applications that were registered and have ended since`,
    notYou: 'If it was not you, delete it, and sign out devices that you do not recognize.',
    button: 'See your applications',
  },
}
