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
  webhookDisabled: {
    subject: 'Dein Webhook wurde abgeschaltet',
    happened: (host) =>
      `Dein Webhook bei ${host} wurde abgeschaltet: Er schlug fünf Tage lang fehl, oder er meldete, dass es ihn nicht mehr gibt.`,
    next: 'Sobald er wieder läuft, schalte ihn ein. Was nicht zugestellt wurde, kann noch einmal geschickt werden; was inzwischen geschieht, wird nicht für ihn aufbewahrt.',
    button: 'Webhook ansehen',
  },
}
