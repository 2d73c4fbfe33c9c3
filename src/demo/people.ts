import { nowMs } from '@/core/clock'
import { DEMO_DOMAIN } from '@/db/migrate/installation'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

export const hoursAgo = (hours: number) => new Date(nowMs() - hours * HOUR_MS)
export const daysAgo = (days: number) => new Date(nowMs() - days * DAY_MS)

/** Users of the demo: ordinary members first, then organizers, then an administrator. */
const ORDINARY = `Ada Okafor, Bram de Wit, Chiara Fontana, Dmitri Volkov, Elif Kaya, Farid Haddad, Greta Lindqvist,
Hiro Tanaka, Ines Carvalho, Jonas Weber, Kavya Raman, Liam Byrne, Maja Kowalska, Nuno Teixeira, Oksana Bondar,
Pedro Álvarez, Qing Zhao, Rosa Delgado, Samir Nasser, Tuuli Virtanen, Umut Demir, Vera Novak, Wanjiru Mwangi, Xenia Popa,
Yusuf Adeyemi, Zoë Martin, Aiko Mori, Ben Carter, Camille Roux, Dagny Hansen, Emeka Eze, Fatima Zahra, Gwen Hughes,
Henrik Dahl, Isla Campbell, Jaspal Singh, Katya Morozova, Lucas Silva, Mina Park, Noor Rahman, Oscar Nilsson, Priya Iyer,
Quentin Faure, Rana Aziz, Soren Madsen, Tara Sullivan, Ugo Ricci, Valentina Rossi, Will Turner, Yara Khoury, Zane Cooper,
Amara Diallo, Bo Jensen, Clara Schmidt`
const ORGANIZERS = 'Magda Horvat, Theo Laurent, Nadia Petrova, Callum Reid, Sofía Herrera'
const ADMINISTRATOR = 'Robin Ashworth'

const BIOS = [
  'I fix bicycles on Saturdays and write about trains the rest of the week.',
  'Gardener, amateur astronomer, terrible at chess.\nAsk me about tomatoes.',
  'Here for the board games.',
  'Teaches evening classes in woodworking. Always looking for a lathe.',
  'Runs slowly, reads quickly.',
  null,
]
const PLACES = ['Harbour Quarter', 'Old Town', 'Mill Lane', 'Riverside', 'North Gate', null]
const COLORS = ['coral', 'ocean', 'sunset', 'forest', 'violet', 'rose', 'slate', 'sky', null]

/** Private profiles; none of the first ten. */
const PRIVATE = new Set(['Kavya Raman', 'Quentin Faure', 'Zane Cooper'])

type Person = {
  name: string
  username: string
  email: string
  role: 'user' | 'admin'
  bio: string | null
  location: string | null
  themeColor: string | null
  profileVisibility: 'public' | 'private'
}

const split = (names: string) => names.split(',').map((name) => name.trim())

const person = (name: string, role: 'user' | 'admin', index = 0): Person => {
  const username = name
    .normalize('NFD')
    .replace(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replaceAll(' ', '-')
  return {
    name,
    username,
    email: `${username}@${DEMO_DOMAIN}`,
    role,
    bio: BIOS[index % BIOS.length] ?? null,
    location: PLACES[(index * 5) % PLACES.length] ?? null,
    themeColor: COLORS[(index * 7) % COLORS.length] ?? null,
    profileVisibility: PRIVATE.has(name) ? 'private' : 'public',
  }
}

export const PEOPLE: Person[] = [
  ...split(ORDINARY).map((name, index) => person(name, 'user', index)),
  ...split(ORGANIZERS).map((name, index) => person(name, 'user', index)),
  person(ADMINISTRATOR, 'admin'),
]

export const ORGANIZER_NAMES = new Set(split(ORGANIZERS))
export const ADMINISTRATOR_NAME = ADMINISTRATOR
