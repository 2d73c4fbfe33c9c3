type TableText = { title: string; text: string }

/** `createdAt` becomes "Created at". */
const spelt = (field: string) => {
  const words = field.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The personal data inventory: on its page, in an export, and in docs/privacy.md. */
export const privacy = {
  text: 'Everything that we hold about you, as one file: your data for programs, a page to read, and the files that you sent.',
  begin: 'Make my export',
  again: 'Make a new one',
  waiting: 'Your export waits for its turn.',
  making: 'Your export is being made. You can leave this page: it goes on.',
  ready: (size: string) => `Your export is ready: ${size}.`,
  until: 'You can fetch it until',
  download: 'Download the ZIP',
  failed: 'Your export could not be made. Ten minutes later you can try again.',
  inside: 'What is in it',
  insideList: [
    'A page that you open in your browser, without a connection.',
    'Your data as JSON, a file for each kind.',
    'The pictures and models that you sent.',
  ],
  not: 'What is not in it',
  notList: [
    'Keys: sessions, tokens and codes are kept as traces that open nothing, the secrets of webhooks and of your calendar address encrypted.',
    'Names of people who hid from you since.',
  ],
  care: 'Anyone with the file can read everything in it. Keep it safe.',
  delete: 'To have it all deleted, delete your account.',
  before: 'Take your data with you first.',
  pageTitle: (site: string) => `Your data at ${site}`,
  pageText: (name: string, at: string) => `Everything that is held about ${name}, as of ${at}.`,
  pageFiles: 'The same is in the folder data for programs, and what you sent in the folder files.',
  pageForApp:
    'An application asked for this export. Where you are signed in, your tokens, the applications that you registered, your webhooks and feed addresses, your linked accounts, your mails and changes of your address are left out.',
  pageMissing: 'These files of yours could not be found:',
  contents: 'Contents',
  nothing: 'Nothing is held here',
  more: (shown: string, all: string) => `${shown} of ${all} are shown; all are in the file.`,
  yes: 'yes',
  no: 'no',
  you: 'you',
  field: (name: string): string =>
    (
      ({ xp: 'Points', onBoard: 'On the leaderboard', sha256: 'SHA-256', you: 'You are' }) as Record<
        string,
        string
      >
    )[name] ?? spelt(name),
  tables: {
    users: {
      title: 'Profile',
      text: 'Your name, address, picture, links, language, time zone, points and settings.',
    },
    onboarding_dismissals: {
      title: 'Hints put aside',
      text: 'First steps that you do not want to see again.',
    },
    entitlements: { title: 'Entitlements', text: 'What you may do or have beyond the ordinary.' },
    mail_switches: { title: 'Mail switches', text: 'Which kinds of mail you switched on or off.' },
    mails: {
      title: 'Mail to you',
      text: 'Which emails were sent to you, when, and the outcome; not their text.',
    },
    mail_items: { title: 'News for a mail', text: 'What is gathered for one mail to you, by ids.' },
    refusing_mailboxes: {
      title: 'Refusing mailbox',
      text: 'That your mailbox refused a mail, under a keyed hash.',
    },
    kept_mails: { title: 'Mailbox of the demo', text: 'What the demo would have mailed, encrypted.' },
    address_changes: {
      title: 'Changes of address',
      text: 'Your old and new mail addresses, and until when a change can be undone.',
    },
    data_exports: { title: 'Exports', text: 'When you asked for an export, and how long its file is.' },
    jobs: { title: 'Long work', text: 'What you asked for that takes a while, and how far it came.' },
    identities: {
      title: 'Linked accounts',
      text: 'Accounts elsewhere with which you sign in: their id, name and address there.',
    },
    sessions: {
      title: 'Sign-ins',
      text: 'The browsers in which you are signed in, by what they call themselves, and when you were last there.',
    },
    personal_tokens: {
      title: 'Access tokens',
      text: 'Names, scopes and last use of your tokens; of the token itself a hash.',
    },
    sign_in_mails: {
      title: 'Sign-in mails',
      text: 'Your mail address, while a link or a code can sign you in.',
    },
    sign_in_failures: {
      title: 'Wrong codes',
      text: 'How often a wrong code was tried for your mailbox, under a keyed hash.',
    },
    feed_tokens: {
      title: 'Address of your calendar',
      text: 'That your own feeds have an address; the address is encrypted.',
    },
    feed_subscriptions: {
      title: 'Subscriptions to your feeds',
      text: 'Servers to which your own feeds are pushed.',
    },
    feed_subscription_requests: {
      title: 'Requests for your feeds',
      text: 'Servers that asked to be pushed your own feeds.',
    },
    idempotency_keys: {
      title: 'Repeated requests',
      text: 'Hashes of requests that a program of yours may send twice, and the answers.',
    },
    oauth_clients: { title: 'Your applications', text: 'Applications that you registered.' },
    oauth_grants: { title: 'Connected applications', text: 'What you allowed which application.' },
    oauth_families: {
      title: 'Sign-ins of applications',
      text: 'When an application that you allowed began to use it.',
    },
    oauth_access_tokens: {
      title: 'Tokens of applications',
      text: 'Until when applications that you allowed are let in; of the token a hash.',
    },
    oauth_refresh_tokens: {
      title: 'Renewals of applications',
      text: 'Until when applications that you allowed may renew it; of the token a hash.',
    },
    oauth_codes: {
      title: 'Sign-ins under way',
      text: 'Codes that applications turn into tokens; a hash of each.',
    },
    follows: { title: 'Follows', text: 'Whom you follow, and who follows you.' },
    uncounted: { title: 'Counts to correct', text: 'That follower counts around you are to be corrected.' },
    portfolio_items: { title: 'Portfolio', text: 'What you made and show.' },
    uploads: {
      title: 'Files',
      text: 'Pictures and models that you sent, without the place and camera that were written in them.',
    },
    favorites: { title: 'Favourite groups', text: 'Groups that you follow.' },
    group_members: { title: 'Roles in groups', text: 'Groups that you own or help to run.' },
    group_claims: {
      title: 'Claims to groups',
      text: 'That you asked for a group, why, and what was decided.',
    },
    group_claim_invites: { title: 'Invitations to groups', text: 'Invitations that you used.' },
    rsvps: { title: 'RSVPs', text: 'Events to which you said yes, and your place in line.' },
    checkins: { title: 'Check-ins', text: 'Events at which you were.' },
    guests: { title: 'Guest entries', text: 'Events where staff checked you in by your email address.' },
    pass_sheets: {
      title: 'Print sheets',
      text: 'Badges to print for an event, on which your name may stand.',
    },
    badge_awards: { title: 'Badges', text: 'Badges that you hold, and since when.' },
    group_scores: { title: 'Points in groups', text: 'Your points in each group.' },
    score_changes: { title: 'Changes of points', text: 'When you got how many points.' },
    board_snapshots: { title: 'Places on the leaderboard', text: 'Your rank at the beginning of each day.' },
    board_drafts: {
      title: 'Leaderboard being written',
      text: 'Your score while a worker writes a day’s leaderboard down.',
    },
    movers: { title: 'Movers', text: 'What you gained in the last week and month, in a large community.' },
    achievement_progress: { title: 'Achievements', text: 'How far you are in each achievement.' },
    achievement_values: {
      title: 'Steps to achievements',
      text: 'What was counted already for an achievement.',
    },
    passes: { title: 'Passes', text: 'Your QR code and your tags.' },
    connections: {
      title: 'People you met',
      text: 'Who tapped your pass, and whose you tapped; of strangers a hash.',
    },
    webhooks: {
      title: 'Webhooks',
      text: 'Addresses to which you have events delivered; the secret is encrypted.',
    },
    webhook_messages: { title: 'Deliveries', text: 'What was to be delivered to your webhooks.' },
    webhook_attempts: { title: 'Delivery attempts', text: 'What your webhooks answered.' },
    webhook_past_rules: {
      title: 'Earlier webhook settings',
      text: 'What a webhook of yours listened to before.',
    },
    audit_log: {
      title: 'Actions of administrators',
      text: 'What you did as an administrator, and what one did to your account.',
    },
    outbox: { title: 'Domain events', text: 'What happened in the last days, by ids.' },
  } as Record<string, TableText>,
}
