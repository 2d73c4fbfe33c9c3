import type { accountMails as english } from '../en/account-mails'

export const accountMails: typeof english = {
  signIn: {
    subject: (site) => `Anmelden bei ${site}`,
    type: 'Gib diesen Code dort ein, wo du ihn angefordert hast:',
    orOpen: 'oder öffne diesen Link:',
    button: 'Anmelden',
    once: 'Code und Link funktionieren einmal, 15 Minuten lang.',
    ignore:
      'Falls du das nicht angefordert hast, hat sich vielleicht jemand bei der Adresse vertippt: Es passiert nichts, solange du den Link nicht öffnest und den Code nicht weitergibst.',
    reason: 'Du bekommst das, weil jemand diese Adresse angegeben hat, um sich anzumelden.',
  },
  addressConfirm: {
    subject: (site) => `Bestätige deine Adresse bei ${site}`,
    asked: (site) =>
      `Jemand möchte diese Adresse für ein Konto bei ${site} verwenden. Wenn du das bist, bestätige sie:`,
    button: 'Ansehen und bestätigen',
    until:
      'Öffne den Link in dem Browser, in dem du darum gebeten hast. Er funktioniert einmal, einen Tag lang, solange du dort angemeldet bleibst.',
    taken:
      'Jemand möchte diese Adresse für ein anderes Konto verwenden. Sie hat hier schon ein Konto, deshalb ändert sich nichts.',
    takenNext:
      'Wenn du das warst: Melde dich wie gewohnt mit dieser Adresse an. Um sie für das andere Konto zu verwenden, ändere oder lösche zuerst dieses.',
    ignore:
      'Falls du das nicht warst, hat sich vielleicht jemand bei der Adresse vertippt: Du musst nichts tun.',
    reason: 'Du bekommst das, weil jemand diese Adresse für ein Konto angegeben hat.',
  },
  addressNotice: {
    asked: (site) => `Jemand möchte die Adresse deines Kontos bei ${site} ändern`,
    changed: (site) => `Die Adresse deines Kontos bei ${site} wurde geändert`,
    willHappen: (email) =>
      `Dein Konto bekommt die Adresse ${email} statt dieser, sobald das dort bestätigt wird.`,
    happened: (email) => `Dein Konto hat jetzt die Adresse ${email} statt dieser.`,
    wasYou: 'Wenn du das warst, musst du nichts tun.',
    wasNotYou:
      'Wenn du das nicht warst, mach es rückgängig. Wer auch immer es war, wird überall abgemeldet, und nur diese Adresse kommt noch hinein:',
    button: 'Das war ich nicht',
    until: (day) => `Das geht bis ${day}, was auch immer bis dahin noch geändert wird.`,
    untilThen:
      'Das geht jetzt und noch sieben Tage nach der Änderung, was auch immer bis dahin noch geändert wird.',
  },
  webhookDisabled: {
    subject: 'Dein Webhook wurde abgeschaltet',
    happened: (host) =>
      `Dein Webhook bei ${host} wurde abgeschaltet: Er schlug fünf Tage lang fehl, oder er meldete, dass es ihn nicht mehr gibt.`,
    next: 'Sobald er wieder läuft, schalte ihn ein. Was nicht zugestellt wurde, kann noch einmal geschickt werden; was inzwischen geschieht, wird nicht für ihn aufbewahrt.',
    button: 'Webhook ansehen',
  },
  tokenMade: {
    subject: 'Ein neuer Zugangsschlüssel in deinem Konto',
    text: 'Ein Zugangsschlüssel ist ein Passwort für ein Programm. In deinem Konto wurde angelegt:',
    expires: (day) => `gilt bis ${day}`,
    never: 'läuft nicht ab',
    ended: (count) =>
      count === 1
        ? 'ein Zugangsschlüssel, der angelegt wurde und seither beendet ist'
        : `${count} Zugangsschlüssel, die angelegt wurden und seither beendet sind`,
    notYou:
      'Wenn du das nicht warst: Widerrufe ihn, und melde dich überall ab, wo du das Gerät nicht kennst.',
    button: 'Deine Zugangsschlüssel ansehen',
  },
  appConnected: {
    subject: 'Eine Anwendung darf jetzt in deinem Namen handeln',
    text: 'Du hast dieser Anwendung erlaubt, in deinem Namen zu handeln, oder mehr als bisher zu tun:',
    ended: (count) =>
      count === 1
        ? 'eine Anwendung, die verbunden wurde und es seither nicht mehr ist'
        : `${count} Anwendungen, die verbunden wurden und es seither nicht mehr sind`,
    notYou:
      'Wenn du das nicht warst: Trenne die Verbindung, und melde dich überall ab, wo du das Gerät nicht kennst.',
    button: 'Verbundene Anwendungen ansehen',
  },
  appRegistered: {
    subject: 'Eine neue Anwendung in deinem Konto',
    text: 'Diese Anwendung wurde in deinem Namen angemeldet. Andere können sie mit ihrem Konto verbinden:',
    ended: (count) =>
      count === 1
        ? 'eine Anwendung, die angemeldet wurde und seither gelöscht ist'
        : `${count} Anwendungen, die angemeldet wurden und seither gelöscht sind`,
    notYou: 'Wenn du das nicht warst: Lösche sie, und melde dich überall ab, wo du das Gerät nicht kennst.',
    button: 'Deine Anwendungen ansehen',
  },
}
