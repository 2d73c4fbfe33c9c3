import type { Words } from '../en/words'

export const welcome: Words['welcome'] = {
  title: (site) => `Willkommen bei ${site}`,
  text: 'Sag den anderen, wer du bist. Du kannst alles später in den Einstellungen ändern.',
  name: 'Dein Name',
  nameHint: 'Steht auf Gästelisten, Namensschildern und in deinem Profil.',
  picture: 'Bild (optional)',
  visibility: 'Wer dein Profil sehen kann',
  button: 'Weiter',
  skip: 'Überspringen',
  checking:
    'Gespeichert. Dein Bild wird noch geprüft. Wenn es in einer Minute nicht zu sehen ist, füge es in den Einstellungen hinzu.',
}
