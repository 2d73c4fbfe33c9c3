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
    'Kannst du doch nicht kommen? Gib deinen Platz auf der Seite der Veranstaltung frei, dann rückt die nächste Person nach.',
  entry:
    'Der Kalendereintrag folgt, wenn die Veranstaltung verschoben oder abgesagt wird, durch eine eigene Mail, die du abschalten kannst. Was du in deinem Kalender antwortest, erreicht uns nicht: Dein Platz bleibt dir, bis du ihn auf der Seite freigibst.',
  goneEntry: 'Damit verschwindet der Eintrag von selbst aus deinem Kalender.',
  confirmed: {
    subject: (title) => `Du bist dabei: „${title}“`,
    title: 'Du bist dabei',
    text: 'Ein Platz gehört dir. Bis dann!',
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
    back: 'Falls du doch kommen kannst: Du bist willkommen, solange es einen Platz gibt.',
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
    text: 'Bald ist eine Veranstaltung, für die du einen Platz hast.',
  },
}
