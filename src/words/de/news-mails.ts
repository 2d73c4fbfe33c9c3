import type { newsMails as english } from '../en/news-mails'

export const newsMails: typeof english = {
  quoted: (name) => `„${name}“`,
  more: (count) => `… und ${count} weitere`,
  claimApproved: {
    subject: (group) => `Du leitest jetzt „${group}“`,
    title: 'Dein Antrag wurde angenommen',
    text: (group) =>
      `Du leitest jetzt „${group}“: Ihre Veranstaltungen, ihr Team und ihre Seite liegen in deinen Händen.`,
    button: 'Die Gruppe leiten',
  },
  claimRejected: {
    subject: (group) => `Dein Antrag für „${group}“`,
    title: 'Dein Antrag wurde abgelehnt',
    text: (group) =>
      `Du wolltest „${group}“ leiten. Wer hier verantwortlich ist, hat sich dagegen entschieden.`,
    next: 'Du kannst es noch einmal versuchen und mehr über dich und die Gruppe schreiben.',
    button: 'Die Gruppe ansehen',
  },
  newFollower: {
    one: 'Jemand Neues folgt dir',
    several: (count) => `${count} Leute folgen dir`,
    title: 'Neue Follower',
    text: 'Sie sehen, was du hier machst:',
    button: 'Deine Follower ansehen',
  },
  badgeEarned: {
    one: (name) => `Du hast „${name}“ verdient`,
    several: (count) => `Du hast ${count} Abzeichen verdient`,
    title: 'Gut gemacht!',
    text: 'Das gehört jetzt dir:',
    about: (points, group) => (group === null ? points : `${points} · ${group}`),
    button: 'Deine Abzeichen ansehen',
  },
  weeklyDigest: {
    subject: (count) =>
      count === 1 ? 'Deine Woche: 1 Veranstaltung' : `Deine Woche: ${count} Veranstaltungen`,
    title: 'Deine Woche',
    yours: 'Du hast zugesagt:',
    ofGroups: 'In deinen Gruppen:',
    waiting: 'du stehst auf der Warteliste',
    button: 'Alle Veranstaltungen ansehen',
  },
}
