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
  kinds: {
    rsvpConfirmed: {
      name: 'Dein Platz bei einer Veranstaltung',
      hint: 'Mit dem Eintrag für deinen Kalender.',
    },
    waitlistPromoted: {
      name: 'Nachrücken von der Warteliste',
      hint: 'Dass du jetzt einen Platz hast, mit dem Eintrag für deinen Kalender.',
    },
    eventChanged: {
      name: 'Verlegte und abgesagte Veranstaltungen',
      hint: 'Wo du dabei bist. Der Eintrag in deinem Kalender zieht mit.',
    },
    eventReminder: {
      name: 'Erinnerungen',
      hint: 'Einen Tag vor einer Veranstaltung, bei der du einen Platz hast.',
    },
    claimDecided: { name: 'Anträge, eine Gruppe zu leiten', hint: 'Was über deinen entschieden wurde.' },
    newFollower: { name: 'Neue Follower', hint: 'Höchstens eine Mail am Tag.' },
    badgeEarned: { name: 'Abzeichen, die du verdienst', hint: 'Höchstens eine Mail am Tag.' },
    weeklyDigest: {
      name: 'Die kommende Woche',
      hint: 'Was in deinen Gruppen ansteht, am Montagmorgen. Kommt nur, wenn du es einschaltest.',
    },
  },
  unsubscribe: {
    title: 'Keine solchen Mails mehr?',
    text: (kind) => `Ein Druck, und Mails dieser Art kommen nicht mehr: „${kind}“`,
    button: 'Diese Mails abbestellen',
    stopped: 'Diese Mails sind abbestellt',
    stoppedText: (kind) => `Davon schreiben wir dir nicht mehr: „${kind}“`,
    undo: 'Doch wieder schreiben',
    resumed: 'Diese Mails kommen wieder',
    resumedText: (kind) => `Davon schreiben wir dir wieder: „${kind}“`,
  },
  always: 'Du bekommst das, weil es um die Sicherheit deines Kontos geht. Es lässt sich nicht abschalten.',
  stop: 'Keine solchen Mails mehr',
  settings: 'Alle Maileinstellungen',
  sentBy: (site) => `Gesendet von ${site}`,
}
