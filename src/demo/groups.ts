/** Groups of the community; each is owned by the organizer of the same place in the list. */
export const GROUPS = [
  {
    urlname: 'riverside-cyclists',
    name: 'Riverside Cyclists',
    tags: ['outdoors', 'sport'],
    themeColor: 'forest',
    isFeatured: true,
  },
  {
    urlname: 'board-game-tuesdays',
    name: 'Board Game Tuesdays',
    tags: ['games', 'social'],
    themeColor: 'violet',
    isFeatured: true,
  },
  {
    urlname: 'makers-of-mill-lane',
    name: 'Makers of Mill Lane',
    tags: ['making', 'tech'],
    themeColor: 'ocean',
    isFeatured: false,
  },
  {
    urlname: 'old-town-readers',
    name: 'Old Town Readers',
    tags: ['books'],
    themeColor: 'rose',
    isFeatured: false,
  },
  {
    urlname: 'night-sky-watchers',
    name: 'Night Sky Watchers',
    tags: ['science', 'outdoors'],
    themeColor: 'slate',
    isFeatured: false,
  },
] as const
