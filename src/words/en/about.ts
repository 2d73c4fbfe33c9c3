/** Default texts of the about pages, unless the operator provides their own. */
export const about = {
  title: (name: string) => `About ${name}`,
  what: (name: string) =>
    `${name} is a community of people who meet: in groups with people who care for them, at events that anyone can find.`,
  howItWorks: 'How it works',
  steps: [
    'Look around: events, groups and people can be seen without an account.',
    'Sign in, join the groups that you like, and say that you come.',
    'Check in at the door. Badges remember where you have been and what you did.',
  ],
  numbers: 'In numbers',
  groups: 'Groups',
  upcoming: 'Events ahead',
  past: 'Events so far',
  people: 'People',
  seeEvents: 'See what is on',
  madeOf: 'What it is made of',
  software: (version: string) =>
    `The server runs Folkmoot ${version}. Everything here can also be read by programs: calendars, feeds and an open API.`,
  api: 'API documentation',
  feed: 'Calendar feed',
  terms: 'Terms of use',
  noTerms: 'The operator of this community has not written terms of use.',
  noTermsMore: 'Be kind, come when you said that you would, and give your seat back when you cannot.',
  privacy: 'Privacy',
  privacyLead:
    'The operator of this community has not written a notice of their own. This is what the server does.',
  kept: 'What is stored',
  keptList: [
    'Your account: name, mail address, and the accounts elsewhere that you sign in with.',
    'Your profile: what you write there, and the pictures that you upload. A private profile is visible only to you and the administrators.',
    'What you do: groups you join, events you answer, check-ins, badges, people you follow and people you met by a pass.',
    'Your sign-ins: the name of the browser and when it was last here, so that you can end them in your settings.',
  ],
  cookies: 'Cookies',
  cookiesList: [
    'One that keeps you signed in.',
    'One for the language, if you choose another one.',
    'One when you tap a pass without an account, so that you can find each other later. It is deleted after 90 days.',
  ],
  others: 'Who else gets data',
  othersList: [
    'No one, when you view pages: no page loads anything from another server, and there is no tracking or advertising.',
    'Applications that you connect yourself see what you allow them, until you take it back in your settings.',
    'The server counts requests by network address for a short time, to keep strangers from flooding it.',
  ],
  end: 'Deletion',
  endText:
    'In your settings you can fetch everything that is held about you as one file, and delete your account. Everything personal in it is deleted with it.',
}
