import type { errors } from '../en/errors'

/** Object names of "not found" errors, by their English names. */
const MISSING: Record<string, string> = {
  Page: 'Diese Seite gibt es nicht',
  File: 'Diese Datei gibt es nicht',
  Application: 'Diese Anwendung gibt es nicht',
  Grant: 'Diese Erlaubnis gibt es nicht',
  Session: 'Diese Sitzung gibt es nicht',
  'Linked account': 'Dieses Konto ist nicht verbunden',
  Token: 'Diesen Zugangsschlüssel gibt es nicht',
  'Onboarding step': 'Diesen Schritt gibt es nicht',
  User: 'Diese Person gibt es hier nicht',
  Group: 'Diese Gruppe gibt es nicht',
  Entitlement: 'Diese Berechtigung gibt es nicht',
  'Claim request': 'Diesen Antrag gibt es nicht',
  Invitation: 'Diese Einladung gibt es nicht',
  Member: 'Diese Person gehört nicht zum Team der Gruppe',
  Webhook: 'Diesen Webhook gibt es nicht',
  Message: 'Diese Nachricht gibt es nicht',
  'Check-in code': 'Diesen Check-in-Code gibt es nicht',
  'Check-in': 'Diese Person ist nicht eingecheckt',
  Download: 'Diesen Download gibt es nicht',
  Event: 'Diese Veranstaltung gibt es nicht',
  Guest: 'Diesen Gast gibt es nicht',
  'Print sheet': 'Diesen Druckbogen gibt es nicht',
  RSVP: 'Du hast hier keine Zusage',
  Pass: 'Diesen Pass gibt es nicht',
  Owner: 'Dieser Pass gehört niemandem',
  Contact: 'Diesen Kontakt gibt es nicht',
  Connection: 'Diese Bekanntschaft gibt es nicht',
  'Portfolio item': 'Diesen Eintrag gibt es nicht',
  Upload: 'Diese Datei gibt es nicht',
  Achievement: 'Diesen Erfolg gibt es nicht',
  'Badge or person': 'Dieses Abzeichen oder diese Person gibt es nicht',
  Badge: 'Dieses Abzeichen gibt es nicht',
  Award: 'Diese Person hat das Abzeichen nicht',
  'Claim link': 'Diesen Link gibt es nicht',
}

/** Error messages, by their English text. */
const SENTENCES: typeof errors.said = {
  'That is your address already': 'Das ist schon deine Adresse',
  'This server sends no email, so no address can be confirmed':
    'Dieser Server verschickt keine E-Mails, deshalb lässt sich keine Adresse bestätigen',
  'Sign in again first: you did so more than 15 minutes ago':
    'Melde dich zuerst noch einmal an: Das letzte Mal ist mehr als 15 Minuten her',
  'This address has an account of its own: nothing has changed':
    'Diese Adresse hat ein eigenes Konto: Es hat sich nichts geändert',
  'This link was used already, is older than a day, or whoever asked has signed out: ask again':
    'Dieser Link wurde schon benutzt, ist älter als einen Tag, oder wer darum bat, hat sich abgemeldet: Bitte noch einmal darum',
  'Confirm this in the browser in which you asked for it, or sign in to the account first':
    'Bestätige das in dem Browser, in dem du darum gebeten hast, oder melde dich zuerst bei dem Konto an',
  'This was undone already, or its seven days are over':
    'Das wurde schon rückgängig gemacht, oder die sieben Tage sind vorbei',
  'Another account has this address by now': 'Diese Adresse hat inzwischen ein anderes Konto',
  'The account that had this address has got another one in the last seven days: sign in with that one, or undo the change by the link in the email about it':
    'Das Konto mit dieser Adresse hat in den letzten sieben Tagen eine andere bekommen: Melde dich mit der an, oder mach die Änderung mit dem Link in der E-Mail darüber rückgängig',
  'This change was asked for by another site': 'Diese Änderung kam von einer anderen Website',
  'This needs a signed-in browser session': 'Dafür musst du im Browser angemeldet sein',
  'This is done by a command on the host': 'Das geht nur mit einem Befehl auf dem Server selbst',
  'This form was not made for your present sign-in: load the page again and repeat it':
    'Dieses Formular gehört nicht zu deiner jetzigen Anmeldung: Lade die Seite neu und versuche es noch einmal',
  'The connection was interrupted: please send it again':
    'Die Verbindung wurde unterbrochen: Bitte sende es noch einmal',
  'Too much is asked for at once: try again in a moment':
    'Gerade ist zu viel auf einmal los: Versuche es gleich noch einmal',
  'The service is busy or restarting: try again in a moment':
    'Der Server ist gerade überlastet oder wird neu gestartet: Versuche es gleich noch einmal',
  'The movers are being counted: try again in a few minutes':
    'Die Liste wird gerade neu gezählt: Versuche es in ein paar Minuten noch einmal',
  'The input is not valid': 'Etwas an der Eingabe stimmt nicht',
  'This conflicts with something that exists': 'Das gibt es schon',
  'A value cannot be stored': 'Ein Wert lässt sich nicht speichern',
  'This list is too long to skip that far: go on page by page':
    'Diese Liste ist zu lang, um so weit zu springen: blättere Seite für Seite weiter',
  'This cursor does not belong to this list: start again without one':
    'Diese Stelle der Liste gibt es nicht: Fang von vorn an',
  'Send the body as application/x-www-form-urlencoded': 'Das Formular kam nicht lesbar an',
  'This form was not sent whole': 'Das Formular kam nicht vollständig an',
  'Send the texts of a form as UTF-8': 'Sende die Texte eines Formulars als UTF-8',
  'Send the body as multipart/form-data': 'Das Formular kam nicht lesbar an',
  'Send one file at a time': 'Sende eine Datei auf einmal',
  'A field was sent more than once': 'Ein Feld kam mehrfach an',
  'The body must be an object': 'Das Formular kam nicht lesbar an',
  'may be given once': 'darf nur einmal angegeben werden',
  'Files cannot be reached just now: try again in a minute':
    'Dateien sind gerade nicht erreichbar: Versuche es in einer Minute noch einmal',
  'There is no such language here': 'Diese Sprache gibt es hier nicht',
  // Signing in, and applications
  'A public client has no secret': 'Eine öffentliche Anwendung hat kein Geheimnis',
  'The application was deleted meanwhile.': 'Die Anwendung wurde inzwischen gelöscht.',
  'The application that sent you here is not known to us.':
    'Wir kennen die Anwendung nicht, die dich hierher geschickt hat.',
  'The application wants you sent back to an address that it has not registered.':
    'Die Anwendung will dich zu einer Adresse zurückschicken, die sie nicht eingetragen hat.',
  'The application wants you sent back to an address that is not its own.':
    'Die Anwendung will dich zu einer Adresse zurückschicken, die nicht ihre eigene ist.',
  'The link that brought you here is damaged.': 'Der Link, der dich hierher gebracht hat, ist beschädigt.',
  'Your sign-in has ended.': 'Deine Anmeldung ist abgelaufen.',
  'This question is too old, or was not put to you.': 'Diese Frage ist zu alt oder galt nicht dir.',
  'Say whether you allow it or not.': 'Sag, ob du es erlaubst oder nicht.',
  'This is your last way to sign in: add another first':
    'Das ist dein letzter Weg zur Anmeldung: Füge erst einen anderen hinzu',
  'This link is not whole, or there is no such account any more':
    'Dieser Link ist nicht vollständig, oder das Konto gibt es nicht mehr',
  'This link was used already, or its time is over: ask for a new one':
    'Dieser Link wurde schon benutzt, oder seine Zeit ist um: Lass dir einen neuen geben',
  'This link was used already, or its time is over: the host can make a new one':
    'Dieser Link wurde schon benutzt oder ist abgelaufen: Auf dem Server lässt sich ein neuer erstellen',
  'This account is suspended: ask the people who run this place':
    'Dieses Konto ist gesperrt: Wende dich an die Leute, die das hier betreiben',
  'An application cannot create personal access tokens':
    'Eine Anwendung kann keine persönlichen Zugangsschlüssel erstellen',
  'This token lacks the scope admin': 'Hier hat nur die Verwaltung Zutritt',
  'must be names from GET /v1/scopes': 'muss aus Namen bekannter Berechtigungen bestehen',
  'A token can only have scopes that its maker has':
    'Ein Zugangsschlüssel kann nur Berechtigungen haben, die du selbst hast',
  // Accounts
  'That username is reserved': 'Dieser Benutzername ist reserviert',
  'That username is taken': 'Dieser Benutzername ist vergeben',
  'To delete your account, confirm with your username':
    'Um dein Konto zu löschen, bestätige mit deinem Benutzernamen',
  'You cannot follow yourself': 'Du kannst dir nicht selbst folgen',
  'Somebody has to be an administrator: make somebody else one first':
    'Jemand muss verwalten: Ernenne erst eine andere Person',
  'The server has no room for more files: try again later, or tell the people who run it':
    'Der Server hat keinen Platz für weitere Dateien: Versuche es später, oder sag denen Bescheid, die ihn betreiben',
  'Your picture is still being checked: send the form again in a moment':
    'Dein Bild wird noch geprüft: Sende das Formular gleich noch einmal',
  'This picture cannot be used: choose a photo or drawing of at most 10 MB':
    'Dieses Bild geht nicht: Wähle ein Foto oder eine Zeichnung mit höchstens 10 MB',
  // Groups
  'must be in the future': 'muss in der Zukunft liegen',
  'This person holds that entitlement already': 'Diese Person hat die Berechtigung schon',
  'You own this group already': 'Diese Gruppe gehört dir schon',
  'You have asked for this group already: an administrator will decide':
    'Du hast diese Gruppe schon beantragt: Die Verwaltung entscheidet',
  'This request was decided already': 'Über diesen Antrag ist schon entschieden',
  'This person is suspended: reject the request, or lift the suspension first':
    'Diese Person ist gesperrt: Lehne den Antrag ab, oder hebe erst die Sperre auf',
  'This invitation has expired': 'Diese Einladung ist abgelaufen',
  'This invitation was used already': 'Diese Einladung wurde schon benutzt',
  'The file of this export is gone: ask for a new one':
    'Die Datei dieses Exports ist nicht mehr da: Fordere einen neuen an',
  'To delete a group, confirm with its urlname': 'Um eine Gruppe zu löschen, bestätige mit ihrer Webadresse',
  'Only administrators create groups here': 'Gruppen legt hier nur die Verwaltung an',
  'Creating a group needs an entitlement, which an administrator can give':
    'Um eine Gruppe anzulegen, brauchst du eine Berechtigung von der Verwaltung',
  'That web address is reserved': 'Diese Webadresse ist reserviert',
  'That web address is taken': 'Diese Webadresse ist vergeben',
  'This person has a role in the group already': 'Diese Person hat in der Gruppe schon eine Aufgabe',
  'A manager may add, change and remove volunteers only':
    'Mit deiner Rolle kannst du nur Helferinnen und Helfer hinzufügen, ändern und entfernen',
  'A group needs an owner: make somebody else an owner first':
    'Eine Gruppe braucht jemanden, dem sie gehört: Übergib sie erst',
  // Events
  'This person is checked in already': 'Diese Person ist schon eingecheckt',
  'This event was cancelled': 'Diese Veranstaltung wurde abgesagt',
  'This event is not published yet': 'Diese Veranstaltung ist noch nicht veröffentlicht',
  'Check-in opens 24 hours before the start': 'Der Check-in öffnet 24 Stunden vor Beginn',
  'This code is used up': 'Dieser Code ist aufgebraucht',
  'Check-in is open from 24 hours before the start until 24 hours after the end':
    'Der Check-in ist von 24 Stunden vor Beginn bis 24 Stunden nach dem Ende offen',
  'You are checked in to this event already': 'Du bist hier schon eingecheckt',
  'This code has expired': 'Dieser Code ist abgelaufen',
  'People have answered: cancel the event instead of taking it back':
    'Es haben schon Leute geantwortet: Sage die Veranstaltung ab, statt sie zurückzunehmen',
  'must be an IANA name such as Europe/Lisbon': 'muss eine Zeitzone wie Europe/Lisbon sein',
  'is in the past: check it, or confirm below that you want to publish it':
    'liegt in der Vergangenheit: Prüfe ihn, oder bestätige unten, dass du veröffentlichen willst',
  'must be after startTime': 'muss nach dem Beginn liegen',
  'This event was cancelled already': 'Diese Veranstaltung ist schon abgesagt',
  'This event is a draft: delete it instead': 'Das ist ein Entwurf: Lösche ihn stattdessen',
  'Only drafts can be deleted: cancel the event instead':
    'Nur Entwürfe lassen sich löschen: Sage die Veranstaltung stattdessen ab',
  'This event comes from another platform: change it there':
    'Diese Veranstaltung kommt von einer anderen Plattform: Ändere sie dort',
  'must be left out: this paper has no labels': 'muss leer bleiben: Dieses Papier hat keine Etiketten',
  'is needed for a poster': 'wird für ein Plakat gebraucht',
  'must be a check-in code of this event': 'muss ein Check-in-Code dieser Veranstaltung sein',
  'Nobody has a seat yet: there is nothing to print':
    'Noch hat niemand einen Platz: Es gibt nichts zu drucken',
  'The check-in code was deleted: choose another one':
    'Der Check-in-Code wurde gelöscht: Wähle einen anderen',
  'The file of this print sheet is gone: order a new one':
    'Die Datei dieses Druckbogens ist weg: Bestelle einen neuen',
  'The sheet takes more time or memory than a sheet may: print it in parts':
    'Der Bogen ist zu groß: Drucke ihn in Teilen',
  'This event is over': 'Diese Veranstaltung ist vorbei',
  'You already have an RSVP for this event': 'Du hast für diese Veranstaltung schon geantwortet',
  'Cancel the upcoming events of this group first, so that their guests get an email':
    'Sage zuerst die kommenden Veranstaltungen der Gruppe ab, damit ihre Gäste eine E-Mail bekommen',
  'Guests of a cancelled event are still being emailed: delete the group in a few minutes':
    'Gäste einer abgesagten Veranstaltung bekommen gerade noch E-Mails: Lösche die Gruppe in ein paar Minuten',
  // Passes
  'There is a design with this id already': 'Ein Design mit dieser Kennung gibt es schon',
  'must be the id of a design': 'muss die Kennung eines Designs sein',
  'This pass is not in use': 'Dieser Pass ist nicht in Gebrauch',
  'Your QR pass cannot be released: rotate it, or switch it off':
    'Deinen QR-Pass kannst du nicht abgeben: Erneuere ihn, oder schalte ihn ab',
  'The id of a tag is written on it: release the tag, or switch it off':
    'Die Kennung steht auf dem Anhänger: Gib ihn ab, oder schalte ihn ab',
  'This pass is yours already': 'Dieser Pass gehört dir schon',
  'Somebody has claimed this pass already': 'Dieser Pass gehört schon jemandem',
  'Nobody has claimed this tag yet': 'Dieser Anhänger gehört noch niemandem',
  'This pass is your own': 'Das ist dein eigener Pass',
  // Recognition
  'There is an achievement with this key already': 'Einen Erfolg mit diesem Schlüssel gibt es schon',
  'must be a list for in': 'muss für „in“ eine Liste sein',
  'is required to count different values': 'wird gebraucht, um verschiedene Werte zu zählen',
  'must be the slug of a badge of the platform': 'muss der Kurzname eines Abzeichens der Plattform sein',
  'This person holds the badge already': 'Diese Person hat das Abzeichen schon',
  'That slug is taken': 'Dieser Kurzname ist vergeben',
  'This group has as many badges as it may have': 'Diese Gruppe hat so viele Abzeichen, wie sie haben darf',
  'must be one emoji': 'muss ein Emoji sein',
  'You hold this badge already': 'Du hast dieses Abzeichen schon',
  'This link is used up': 'Dieser Link ist aufgebraucht',
  'This link has expired': 'Dieser Link ist abgelaufen',
  'This has changed since you read it: read it again, and send the change with the new ETag in If-Match':
    'Das hat sich geändert, seit du es gelesen hast: Lies es neu und sende die Änderung mit dem neuen ETag in If-Match',
  // Field requirements.
  'is required, or an email address': 'fehlt, oder eine E-Mail-Adresse',
  'is required': 'fehlt',
  'is not valid': 'stimmt so nicht',
  'is not valid Unicode': 'enthält Zeichen, die es nicht gibt',
  'may not hold control characters': 'darf keine Steuerzeichen enthalten',
  'must hold a visible character': 'braucht mindestens ein sichtbares Zeichen',
  'piles up too many marks on one letter': 'häuft zu viele Zeichen auf einen Buchstaben',
  'does not exist on that day: clocks are put forward':
    'gibt es an diesem Tag nicht: Die Uhren werden vorgestellt',
  'must be an http or https address of at most 2048 characters':
    'muss eine Adresse mit http oder https sein, mit höchstens 2048 Zeichen',
  'must be a time such as 2026-05-01T18:30:00Z': 'muss ein Zeitpunkt sein',
  'must be a UUID such as 01890000-0000-7000-8000-000000000000':
    'muss eine der angebotenen Möglichkeiten sein',
  'must be true or false': 'muss ja oder nein sein',
  'must not repeat an item': 'darf nichts doppelt enthalten',
  'must be an object': 'kam nicht lesbar an',
  'must be an email address such as ada@folkmoot.example':
    'muss eine E-Mail-Adresse sein, etwa ada@folkmoot.example',
  'must be an https address': 'muss eine Adresse mit https sein',
}

export const said: typeof errors.said = {
  ...SENTENCES,
  'No member has that username: check them in by name or email instead':
    'Kein Mitglied hat diesen Benutzernamen: Lass die Person mit Namen oder E-Mail-Adresse ein',
  'No member has that username: it comes after the @ on their profile':
    'Kein Mitglied hat diesen Benutzernamen: Er steht im Profil hinter dem @',
  'A guest with this email address is checked in already':
    'Ein Gast mit dieser E-Mail-Adresse ist schon eingecheckt',
  ...Object.fromEntries(Object.entries(MISSING).map(([thing, text]) => [`${thing} not found`, text])),
}

/** Rate limits, with the time to retry. */
function later(when: string): string {
  const [, count = '', unit = ''] = /^in (\d+) (second|minute|hour)s?$/.exec(when) ?? []
  const one = count === '1'
  if (unit === 'second') return one ? 'in einer Sekunde' : `in ${count} Sekunden`
  if (unit === 'minute') return one ? 'in einer Minute' : `in ${count} Minuten`
  return unit === 'hour' ? (one ? 'in einer Stunde' : `in ${count} Stunden`) : 'später'
}

const LIMITS: readonly (readonly [string, string])[] = [
  ['Too many requests: try again', 'Zu viele Anfragen: Versuche es noch einmal'],
  [
    'Several emails went to this address already: use the newest, or try again',
    'An diese Adresse gingen schon mehrere E-Mails: Nimm die neueste, oder versuche es noch einmal',
  ],
  [
    'Too many emails were asked for from here: try again',
    'Von hier wurden zu viele E-Mails verlangt: Versuche es noch einmal',
  ],
  [
    'Too many people began to sign in from here: try again',
    'Von hier haben zu viele Leute eine Anmeldung begonnen: Versuche es noch einmal',
  ],
  [
    'Too many attempts to sign in failed: try again',
    'Zu viele Anmeldungen sind gescheitert: Versuche es noch einmal',
  ],
  [
    'Too many wrong codes were tried for this address: open the link in your newest email instead, or try a code again',
    'Für diese Adresse wurden zu viele falsche Codes versucht: Öffne stattdessen den Link in deiner neuesten E-Mail, oder versuche es mit einem Code noch einmal',
  ],
]

const ROLES: Record<string, string> = {
  owner: 'Eigentümer',
  manager: 'Leitung',
  volunteer: 'Hilfe',
}

const FULL: readonly (readonly [RegExp, (max: string) => string])[] = [
  [
    /^You own (\d+) groups already/,
    (max) => `Dir gehören schon ${max} Gruppen: Lösche oder übergib erst eine`,
  ],
  [
    /^This group has (\d+) drafts and upcoming events already/,
    (max) =>
      `Diese Gruppe hat schon ${max} Entwürfe und kommende Veranstaltungen: Lösche oder sage erst welche ab`,
  ],
  [/^You have (\d+) portfolio items already/, (max) => `Du hast schon ${max} Einträge: Lösche erst einen`],
  [/^You have (\d+) tokens already/, (max) => `Du hast schon ${max} Zugangsschlüssel: Widerrufe erst einen`],
  [/^You have (\d+) applications already/, (max) => `Du hast schon ${max} Anwendungen: Lösche erst eine`],
  [/^You have (\d+) webhooks already/, (max) => `Du hast schon ${max} Webhooks: Lösche erst einen`],
  [
    /^This event has (\d+) guests without an account already/,
    (max) => `Diese Veranstaltung hat schon ${max} Gäste ohne Konto: Nutze stattdessen einen Check-in-Code`,
  ],
  [
    /^This event has (\d+) check-in codes already/,
    (max) => `Diese Veranstaltung hat schon ${max} Check-in-Codes: Lösche erst einen`,
  ],
  [
    /^This badge has (\d+) claim links already/,
    (max) => `Dieses Abzeichen hat schon ${max} Links: Lösche erst einen`,
  ],
  [
    /^You have (\d+) passes already/,
    (max) => `Du hast schon ${max} Pässe, mit deinem QR-Pass: Gib erst einen Anhänger ab`,
  ],
  [
    /^This event had (\d+) print sheets/,
    (max) =>
      `Diese Veranstaltung hatte am letzten Tag schon ${max} Druckbögen: Versuche es morgen noch einmal`,
  ],
]

/** Field requirements with a number or an enumeration. */
const REASONS: typeof errors.saidWith = [
  [
    /^must be (\d+) to (\d+) characters on one line$/,
    (min, max) => `muss ${min} bis ${max} Zeichen in einer Zeile haben`,
  ],
  [/^must be (\d+) to (\d+) characters$/, (min, max) => `muss ${min} bis ${max} Zeichen haben`],
  [
    /^must be at most (\d+) characters on one line$/,
    (max) => `darf höchstens ${max} Zeichen in einer Zeile haben`,
  ],
  [/^must be at most (\d+) characters$/, (max) => `darf höchstens ${max} Zeichen haben`],
  [/^must be (\d+) characters( on one line)?$/, (count) => `muss ${count} Zeichen haben`],
  [
    /^must be (\d+) to (\d+) lower-case letters/,
    (min, max) => `muss aus ${min} bis ${max} Kleinbuchstaben, Ziffern oder Bindestrichen bestehen`,
  ],
  [
    /^must be (\d+) to (\d+) letters, digits or hyphens/,
    (min, max) =>
      `muss aus ${min} bis ${max} Buchstaben, Ziffern oder Bindestrichen bestehen, ohne Bindestrich am Rand`,
  ],
  [/^must be a color such as (#\w+)$/, (color) => `muss eine Farbe sein, etwa ${color}`],
  [
    /^must be a (?:whole )?number from (-?[\d.]+) to ([\d.]+)$/,
    (min, max) => `muss eine Zahl von ${min} bis ${max} sein`,
  ],
  [/^must be a (?:whole )?number of at least (-?[\d.]+)/, (min) => `muss mindestens ${min} sein`],
  [/^must be a (?:whole )?number/, () => 'muss eine Zahl sein'],
  [/^must be a list of (\d+) to (\d+) items$/, (min, max) => `muss ${min} bis ${max} Einträge haben`],
  [/^must be a list of at most (\d+) items$/, (max) => `darf höchstens ${max} Einträge haben`],
  [/^must be a list of at least (\d+) items?$/, (min) => `muss mindestens ${min} Einträge haben`],
  [/^must be a list$/, () => 'muss eine Liste sein'],
  [/^There is nothing at this address: /, () => 'Unter dieser Adresse gibt es nichts'],
  [/^must give at most (\d+) copies in all$/, (max) => `darf insgesamt höchstens ${max} Kopien ergeben`],
  [/^must be at most (\S+) on this paper$/, (max) => `darf auf diesem Papier höchstens ${max} sein`],
  [/^must be at most (\S+) in this group$/, (max) => `darf in dieser Gruppe höchstens ${max} sein`],
  [/^must hold at most (\S+) slugs$/, (max) => `darf höchstens ${max} Kurznamen enthalten`],
  [/^must not be a list for (\S+)$/, (which) => `darf für „${which}“ keine Liste sein`],
  [
    /^must be an object of at most (\S+) http or https addresses/,
    (max) => `darf höchstens ${max} Adressen mit http oder https enthalten`,
  ],
  [
    /^must be the address of a \w+ that you uploaded/,
    () => 'muss eine Datei sein, die du hier hochgeladen hast',
  ],
  [/^must be (.+) in this category$/, (types) => `muss hier ${types.replaceAll(' or ', ' oder ')} sein`],
  [
    /^must be an? (?:https )?address/,
    () => 'muss eine Adresse mit https sein, die aus dem Internet erreichbar ist',
  ],
  [/^must be one of (.+)$/, () => 'muss einer der angebotenen Werte sein'],
]

/** Error messages with a value. */
export const saidWith: typeof errors.saidWith = [
  [
    /^Something went wrong on our side; please mention (\S+) when you report it$/,
    (id) => `Bei uns ist etwas schiefgegangen; nenne bitte ${id}, wenn du es meldest`,
  ],
  ...LIMITS.map(
    ([english, german]) =>
      [new RegExp(`^${english} (in \\d+ \\w+)$`), (when: string) => `${german} ${later(when)}`] as const,
  ),
  [
    /^Your address was changed lately, and the old one can undo that until (.+ UTC): /,
    (until) =>
      `Deine Adresse wurde kürzlich geändert, und die alte kann das bis ${until} rückgängig machen: Mach es mit dem Link rückgängig, der an sie ging, oder lösche dein Konto danach`,
  ],
  [
    /^Somebody here has the address that (.+?) gave us/,
    (provider) =>
      `Jemand hier hat die Adresse, die ${provider} uns nannte, aber ${provider} sagt nicht, dass sie dir gehört: Melde dich per E-Mail an und verbinde ${provider} dann in deinen Einstellungen`,
  ],
  [
    /^That (.+) account is linked to somebody else here/,
    (provider) => `Dieses Konto bei ${provider} ist hier mit jemand anderem verbunden: Löse es erst dort`,
  ],
  [
    /^This account is linked to another (.+) account/,
    (provider) => `Dein Konto ist schon mit einem anderen bei ${provider} verbunden: Löse das erst`,
  ],
  [
    /^This needs the role (\S+) in the group$/,
    (role) => `Dafür brauchst du in der Gruppe die Rolle ${ROLES[role] ?? role}`,
  ],
  [/^The body may (?:hold|be nested) at most /, () => 'Das Formular ist zu groß'],
  [/^The body may be at most (\d+) bytes$/, () => 'Das ist zu groß'],
  [
    /^This event has more than (\S+) people, which is more than a sheet can hold$/,
    (max) => `Diese Veranstaltung hat mehr als ${max} Leute, mehr als auf einen Bogen passen`,
  ],
  [
    /^The address of this server is too long for NFC tags, by (\S+) characters$/,
    (count) => `Die Adresse dieses Servers ist um ${count} Zeichen zu lang für NFC-Anhänger`,
  ],
  [
    /^url: /,
    () => 'Diese Adresse kann nicht erreicht werden: Sie muss mit https aus dem Internet erreichbar sein',
  ],
  ...FULL,
  ...REASONS,
]
