import type { eventMails as english } from '../en/event-mails'

export const eventMails: typeof english = {
  event: 'Veranstaltung',
  when: 'Wann',
  yourTime: 'Nach deiner Uhr',
  where: 'Wo',
  online: 'Online',
  group: 'Gruppe',
  see: 'Zur Veranstaltung',
  giveUp:
    'Du kannst doch nicht kommen? Gib deinen Platz auf der Seite der Veranstaltung frei, dann rückt die nächste Person nach.',
  entry:
    'Ändert sich die Veranstaltung, schicken wir dir eine neue Kalendereinladung. Eine Antwort auf die Einladung ändert deine Zusage nicht.',
  goneEntry: 'Die angehängte Datei entfernt die Veranstaltung aus deinem Kalender.',
  confirmed: {
    subject: (title) => `Du bist dabei: „${title}“`,
    title: 'Du bist dabei',
    text: 'Du hast einen Platz. Bis dann!',
  },
  promoted: {
    subject: (title) => `Du hast einen Platz: „${title}“`,
    title: 'Du hast einen Platz',
    text: 'Ein Platz ist frei geworden, und du bist nachgerückt. Bis dann!',
  },
  givenUp: {
    subject: (title) => `Du hast deinen Platz freigegeben: „${title}“`,
    title: 'Du hast deinen Platz freigegeben',
    text: 'Du stehst nicht mehr auf der Liste.',
    reason: 'Du bekommst das, weil du einen Platz freigegeben hast.',
    back: 'Du kannst doch kommen? Solange Plätze frei sind, kannst du wieder zusagen.',
  },
  moved: {
    subject: (title) => `Geändert: „${title}“`,
    title: 'Eine Veranstaltung hat sich geändert',
    time: 'Sie findet zu einer anderen Zeit statt.',
    place: 'Sie findet an einem anderen Ort statt.',
    online: 'Der Link zur Online-Teilnahme ist ein anderer.',
    timeBefore: 'Bisher',
    placeBefore: 'Ort bisher',
  },
  cancelled: {
    subject: (title) => `Abgesagt: „${title}“`,
    title: 'Eine Veranstaltung wurde abgesagt',
    text: 'Sie findet nicht statt.',
    reason: 'Die Gruppe sagt dazu',
  },
  reminder: {
    subject: (when, title) => `${when}: „${title}“`,
    title: 'Bis bald',
    text: 'Du hast einen Platz bei einer Veranstaltung, die bald stattfindet.',
  },
}
