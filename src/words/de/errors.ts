import type { errors as english } from '../en/errors'
import { reasons } from './refusals'

export const errors: typeof english = {
  titles: {
    401: 'Du bist nicht angemeldet',
    403: 'Das geht nicht',
    404: 'Hier ist nichts',
    410: 'Das gilt nicht mehr',
    429: 'Einen Moment bitte',
    500: 'Da ist etwas schiefgegangen',
    503: 'Bitte versuche es gleich noch einmal',
  },
  otherTitle: 'Das hat nicht geklappt',
  advice: {
    404: 'Vielleicht ist die Adresse falsch geschrieben, oder was hier war, ist umgezogen oder gelöscht.',
    429: 'Es ist nichts verloren.',
    503: 'Es ist nichts verloren.',
  },
  signInToGoOn: 'Melde dich an, um fortzufahren',
  goToSignIn: 'Zur Anmeldung',
  goToFront: 'Zur Startseite',
  tryAgain: 'Noch einmal versuchen',
  triesItself: 'Es ist nichts verloren: Diese Seite versucht es von selbst noch einmal.',
  request: 'Anfrage',
  damaged: 'Diese Seite war unvollständig: Lade sie neu und versuche es noch einmal',
  kept: {
    ended: 'Deine Anmeldung ist abgelaufen',
    endedText:
      'Es ist nichts verloren: Was du eingegeben hast, ist noch da. Melde dich an (das öffnet einen neuen Tab), komm in diesen zurück und sende es noch einmal.',
    signIn: 'In neuem Tab anmelden',
    sendAgain: 'Noch einmal senden',
    check: 'Prüfen und senden',
    checkText:
      'Du hast dich neu angemeldet, seit dieses Formular entstanden ist. Sieh noch einmal nach, was du eingegeben hast: Wenn es noch stimmt, sende es.',
    send: 'Senden',
    files: 'Nur eine Datei kann fehlen: Wenn du ein Bild ausgewählt hast, sieh nach dem Senden nach.',
    unsent: 'Es ist nichts verloren: Was du eingegeben hast, ist noch da. Sende es gleich noch einmal.',
  },
  reasons,
  orEmpty: ', oder leer bleiben',
  unfit: 'stimmt so nicht',
  unsaid: {
    400: 'Etwas an der Eingabe stimmt nicht',
    403: 'Dafür hast du keine Berechtigung',
    404: 'Das gibt es hier nicht',
    409: 'Das passt nicht mehr zum jetzigen Stand',
    410: 'Das gilt nicht mehr',
    429: 'Das war zu oft in kurzer Zeit',
    500: 'Bei uns ist etwas schiefgegangen',
    503: 'Der Server ist gerade überlastet oder wird neu gestartet',
  },
}
