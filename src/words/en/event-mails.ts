/** Letters about events. */
export const eventMails = {
  event: 'Event',
  when: 'When',
  yourTime: 'In your time',
  where: 'Where',
  online: 'Online',
  group: 'Group',
  see: 'See the event',
  giveUp:
    'Cannot come after all? Give up your seat on the page of the event, and it goes to the next in line.',
  entry:
    'The entry for your calendar follows when the event is moved or cancelled, by a mail of its own that you can switch off. What you answer in your calendar does not reach us: your seat is yours until you give it up on the page.',
  goneEntry: 'With this the entry in your calendar goes away by itself.',
  confirmed: {
    subject: (title: string) => `You are going to “${title}”`,
    title: 'You are going',
    text: 'A seat is yours. See you there!',
  },
  promoted: {
    subject: (title: string) => `You have a seat at “${title}”`,
    title: 'You have a seat',
    text: 'A seat became free, and you were next in line. See you there!',
  },
  givenUp: {
    subject: (title: string) => `You gave up your seat at “${title}”`,
    title: 'You gave up your seat',
    text: 'You are not on the list any more.',
    reason: 'You get this because you gave up a seat.',
    back: 'If you can come after all: you are welcome as long as there is a seat.',
  },
  moved: {
    subject: (title: string) => `Changed: “${title}”`,
    title: 'An event has changed',
    time: 'It takes place at another time.',
    place: 'It takes place somewhere else.',
    online: 'The link to join online is another one.',
    timeBefore: 'Until now',
    placeBefore: 'Place until now',
  },
  cancelled: {
    subject: (title: string) => `Cancelled: “${title}”`,
    title: 'An event was cancelled',
    text: 'It does not take place.',
    reason: 'The group says',
  },
  reminder: {
    /** `when` is a day and a time of it: `Tomorrow, 18:30`. */
    subject: (when: string, title: string) => `${when}: “${title}”`,
    title: 'See you soon',
    text: 'An event is coming up for which you have a seat.',
  },
}
