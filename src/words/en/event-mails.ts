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
    'The entry for your calendar follows when the event is moved or cancelled. What you answer in your calendar does not reach us: your seat is yours until you give it up on the page.',
  confirmed: {
    subject: (title: string) => `You are going to “${title}”`,
    title: 'You are going',
    text: 'A seat is yours. See you there!',
  },
}
