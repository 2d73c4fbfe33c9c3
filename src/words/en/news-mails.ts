/** Letters about people, groups and badges, and the weekly digest. */
export const newsMails = {
  /** Quotes names that users chose, so that they do not pass for our words. */
  quoted: (name: string) => `“${name}”`,
  /** Follows the last listed entry. */
  more: (count: number) => `… and ${count} more`,
  claimApproved: {
    subject: (group: string) => `“${group}” is yours to run`,
    title: 'Your request was granted',
    text: (group: string) =>
      `You are an owner of “${group}” now: its events, its team and its page are in your hands.`,
    button: 'Run the group',
  },
  claimRejected: {
    subject: (group: string) => `Your request for “${group}”`,
    title: 'Your request was turned down',
    text: (group: string) => `You asked to run “${group}”. The people who run this place decided against it.`,
    next: 'You may ask again, with more about yourself and the group.',
    button: 'See the group',
  },
  newFollower: {
    one: 'You have a new follower',
    several: (count: number) => `${count} people follow you`,
    title: 'New followers',
    text: 'They see what you do here:',
    button: 'See your followers',
  },
  badgeEarned: {
    one: (name: string) => `You earned “${name}”`,
    several: (count: number) => `You earned ${count} badges`,
    title: 'Well done!',
    text: 'This is yours now:',
    about: (points: string, group: string | null) => (group === null ? points : `${points} · ${group}`),
    button: 'See your badges',
  },
  weeklyDigest: {
    subject: (count: number) => (count === 1 ? 'Your week: 1 event' : `Your week: ${count} events`),
    title: 'Your week',
    yours: 'You said that you are coming:',
    ofGroups: 'In your groups:',
    waiting: 'you are on the waitlist',
    button: 'See all events',
  },
}
