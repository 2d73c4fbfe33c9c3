import type { mail as english } from '../en/mail'

export const mail: typeof english = {
  hello: (name) => `Hallo ${name},`,
  reasons: {
    rsvpConfirmed: 'Du bekommst das, weil du zugesagt hast.',
    waitlistPromoted: 'Du bekommst das, weil du auf der Warteliste standst.',
    eventChanged: 'Du bekommst das, weil du dort einen Platz hast oder auf der Warteliste stehst.',
    eventReminder: 'Du bekommst das, weil du dort einen Platz hast.',
    claimDecided: 'Du bekommst das, weil du diese Gruppe leiten möchtest.',
    newFollower: 'Du bekommst das, weil dir jemand folgt.',
    badgeEarned: 'Du bekommst das, weil du ein Abzeichen verdient hast.',
    weeklyDigest: 'Du bekommst das jede Woche, weil du es bestellt hast.',
  },
  always: 'Du bekommst das, weil es um die Sicherheit deines Kontos geht. Es lässt sich nicht abschalten.',
  stop: 'Keine solchen Mails mehr',
  settings: 'Alle Maileinstellungen',
  sentBy: (site) => `Gesendet von ${site}`,
}
