import type { about as english } from '../en/about'

export const about: typeof english = {
  title: (name) => `Über ${name}`,
  what: (name) =>
    `${name} ist eine Gemeinschaft von Leuten, die sich treffen: in Gruppen, um die sich jemand kümmert, und bei Veranstaltungen, die alle finden können.`,
  howItWorks: 'So geht es',
  steps: [
    'Sieh dich um: Veranstaltungen, Gruppen und Leute siehst du auch ohne Konto.',
    'Melde dich an, tritt den Gruppen bei, die dir gefallen, und sage zu.',
    'Checke am Eingang ein. Abzeichen erinnern daran, wo du warst und was du getan hast.',
  ],
  numbers: 'In Zahlen',
  groups: 'Gruppen',
  upcoming: 'Kommende Veranstaltungen',
  past: 'Vergangene Veranstaltungen',
  people: 'Leute',
  seeEvents: 'Sieh nach, was los ist',
  madeOf: 'Woraus es gemacht ist',
  software: (version) =>
    `Auf dem Server läuft Folkmoot ${version}. Alles hier können auch Programme lesen: Kalender, Feeds und eine offene API.`,
  api: 'Dokumentation der API',
  feed: 'Kalender-Feed',
  terms: 'Nutzungsbedingungen',
  noTerms: 'Wer diese Gemeinschaft betreibt, hat keine Nutzungsbedingungen geschrieben.',
  noTermsMore:
    'Sei freundlich, komm, wenn du zugesagt hast, und gib deinen Platz zurück, wenn du nicht kannst.',
  privacy: 'Datenschutz',
  privacyLead:
    'Wer diese Gemeinschaft betreibt, hat keine eigene Erklärung geschrieben. Das hier ist, was der Server tut.',
  kept: 'Was gespeichert wird',
  keptList: [
    'Dein Konto: Name, E-Mail-Adresse und die Konten anderswo, mit denen du dich anmeldest.',
    'Dein Profil: was du dort schreibst und die Bilder, die du hochlädst. Ein privates Profil sehen nur du und die Verwaltung.',
    'Was du tust: Gruppen, denen du beitrittst, Zusagen, Check-ins, Abzeichen, wem du folgst und wen du über einen Pass getroffen hast.',
    'Deine Anmeldungen: der Name des Browsers und wann er zuletzt hier war, damit du sie in den Einstellungen beenden kannst.',
  ],
  cookies: 'Cookies',
  cookiesList: [
    'Eines, das dich angemeldet hält.',
    'Eines für die Sprache, wenn du eine andere wählst.',
    'Eines, wenn du ohne Konto jemandes Pass antippst, damit ihr euch später findet. Nach 90 Tagen ist es vergessen.',
  ],
  others: 'Wer sonst davon erfährt',
  othersList: [
    'Niemand, wenn du nur Seiten ansiehst: Keine Seite fragt einen anderen Server, es gibt keine Tracker und keine Werbung.',
    'Anwendungen, die du selbst verbindest, sehen, was du ihnen erlaubst, bis du es in den Einstellungen zurücknimmst.',
    'Der Server zählt kurze Zeit Anfragen je Netzadresse, damit ihn niemand überschwemmt.',
  ],
  end: 'Wie es endet',
  endText:
    'In den Einstellungen kannst du alles, was über dich gespeichert ist, als eine Datei abholen und dein Konto löschen. Alles Persönliche darin wird mit ihm gelöscht.',
}
