/** Letters about events. */
export const eventMails = {
  event: 'Event',
  when: 'When',
  yourTime: 'In your time',
  where: 'Where',
  online: 'Online',
  group: 'Group',
  see: 'See the event',
  giveUp: 'Can’t make it? Give up your spot on the event page, and it goes to the next person in line.',
  entry:
    'If the event changes, we’ll email you an updated calendar invite. Replying to the invite doesn’t change your RSVP.',
  goneEntry: 'The attached file removes the event from your calendar.',
  confirmed: {
    subject: (title: string) => `You are going to “${title}”`,
    title: 'You are going',
    text: 'You have a spot. See you there!',
  },
  promoted: {
    subject: (title: string) => `You have a spot at “${title}”`,
    title: 'You have a spot',
    text: 'A spot opened up, and you were next in line. See you there!',
  },
  givenUp: {
    subject: (title: string) => `You gave up your spot at “${title}”`,
    title: 'You gave up your spot',
    text: 'You are no longer on the list.',
    reason: 'You get this because you gave up a spot.',
    back: 'Can you make it after all? You can RSVP again while spots are left.',
  },
  moved: {
    subject: (title: string) => `Changed: “${title}”`,
    title: 'An event has changed',
    time: 'It has a new time.',
    place: 'It has a new place.',
    online: 'The link to join online has changed.',
    timeBefore: 'Until now',
    placeBefore: 'Place until now',
  },
  cancelled: {
    subject: (title: string) => `Cancelled: “${title}”`,
    title: 'An event was cancelled',
    text: 'It will not take place.',
    reason: 'The group says',
  },
  reminder: {
    /** `when` is a day and time: `Tomorrow, 18:30`. */
    subject: (when: string, title: string) => `${when}: “${title}”`,
    title: 'See you soon',
    text: 'You have a spot at an upcoming event.',
  },
}
