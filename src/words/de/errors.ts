import type { errors as english } from '../en/errors'

export const errors: typeof english = {
  titles: {
    401: 'Du bist nicht angemeldet',
    403: 'Das geht nicht',
    404: 'Hier ist nichts',
    410: 'Das gilt nicht mehr',
    429: 'Einen Moment bitte',
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
  damaged: 'Diese Seite war unvollständig: Lade sie neu und versuche es noch einmal',
  said: {},
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
