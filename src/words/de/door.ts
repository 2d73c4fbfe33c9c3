import type { door as english } from '../en/door'

export const door: typeof english = {
  title: (event) => `Einchecken: ${event}`,
  in: 'Du bist drin',
  since: (moment) => ['Eingecheckt: ', moment],
  when: 'Wann',
  where: 'Wo',
  opens: (moment) => ['Der Check-in öffnet: ', moment],
  sameCode: 'Dann gilt derselbe Code',
  closed: 'Der Check-in ist geschlossen',
  closedThen: 'Er endete einen Tag nach der Veranstaltung',
  cancelled: 'Diese Veranstaltung wurde abgesagt',
  expired: 'Dieser Code ist abgelaufen',
  usedUp: 'Dieser Code ist aufgebraucht',
  ask: 'Frag die Leute am Eingang: Sie können dich einchecken',
  signIn: 'Anmelden und einchecken',
  button: 'Einchecken',
  unknown: 'Keine Veranstaltung hat diesen Code',
  unknownText: 'Vergleiche ihn mit den Buchstaben unter dem Symbol, oder frag die Leute am Eingang',
}
