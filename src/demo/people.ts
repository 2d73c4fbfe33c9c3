/** The people of the demo town. The first ten are ordinary; then come organizers, then an administrator. */
const ORDINARY = `Ada Okafor, Bram de Wit, Chiara Fontana, Dmitri Volkov, Elif Kaya, Farid Haddad, Greta Lindqvist,
Hiro Tanaka, Ines Carvalho, Jonas Weber, Kavya Raman, Liam Byrne, Maja Kowalska, Nuno Teixeira, Oksana Bondar,
Pedro Álvarez, Qing Zhao, Rosa Delgado, Samir Nasser, Tuuli Virtanen, Umut Demir, Vera Novak, Wanjiru Mwangi, Xenia Popa,
Yusuf Adeyemi, Zoë Martin, Aiko Mori, Ben Carter, Camille Roux, Dagny Hansen, Emeka Eze, Fatima Zahra, Gwen Hughes,
Henrik Dahl, Isla Campbell, Jaspal Singh, Katya Morozova, Lucas Silva, Mina Park, Noor Rahman, Oscar Nilsson, Priya Iyer,
Quentin Faure, Rana Aziz, Soren Madsen, Tara Sullivan, Ugo Ricci, Valentina Rossi, Will Turner, Yara Khoury, Zane Cooper,
Amara Diallo, Bo Jensen, Clara Schmidt`
const ORGANIZERS = 'Magda Horvat, Theo Laurent, Nadia Petrova, Callum Reid, Sofía Herrera'
const ADMINISTRATOR = 'Robin Ashworth'

export type Person = { name: string; username: string; email: string; role: 'user' | 'admin' }

export const DEMO_DOMAIN = 'demo.folkmoot.example'

const split = (names: string) => names.split(',').map((name) => name.trim())

const person = (name: string, role: 'user' | 'admin'): Person => {
  const username = name
    .normalize('NFD')
    .replace(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replaceAll(' ', '-')
  return { name, username, email: `${username}@${DEMO_DOMAIN}`, role }
}

export const PEOPLE: Person[] = [
  ...split(ORDINARY).map((name) => person(name, 'user')),
  ...split(ORGANIZERS).map((name) => person(name, 'user')),
  person(ADMINISTRATOR, 'admin'),
]
