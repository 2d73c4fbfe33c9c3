/** Groups; each is owned by the organizer with the same index. */
export const GROUPS = [
  {
    urlname: 'riverside-cyclists',
    name: 'Riverside Cyclists',
    description:
      'We ride along the river every other Sunday, at the pace of whoever is slowest, and stop wherever there is cake.\n\nAny bicycle will do. On the second Wednesday we repair what has broken; bring yours, there is always a spare tube.',
    tags: ['outdoors', 'sport'],
    themeColor: 'forest',
    isFeatured: true,
  },
  {
    urlname: 'board-game-tuesdays',
    name: 'Board Game Tuesdays',
    description:
      'Forty games on the shelf, and somebody who can explain each of them. Come alone or bring the whole family: there is a seat at every table.\n\nWe begin with something quick at seven and end when the café closes.',
    tags: ['games', 'social'],
    themeColor: 'violet',
    isFeatured: true,
  },
  {
    urlname: 'makers-of-mill-lane',
    name: 'Makers of Mill Lane',
    description:
      'A workshop for everyone who would rather build it than buy it: wood, wire, thread and code.\n\nTools are shared, mistakes are celebrated, and on the last Monday everyone shows what they made.',
    tags: ['making', 'tech'],
    themeColor: 'ocean',
    isFeatured: false,
  },
  {
    urlname: 'old-town-readers',
    name: 'Old Town Readers',
    description:
      'One book a month, chosen by lot, read at home and argued about together. Nobody minds if you did not finish it.\n\nEvery now and then an author drops by.',
    tags: ['books'],
    themeColor: 'rose',
    isFeatured: false,
  },
  {
    urlname: 'night-sky-watchers',
    name: 'Night Sky Watchers',
    description:
      'We carry telescopes up Windmill Hill whenever the sky is clear, and wait for it with tea when it is not.\n\nBeginners are our favorite people: the first look at Saturn never gets old.',
    tags: ['science', 'outdoors'],
    themeColor: 'slate',
    isFeatured: false,
  },
] as const
