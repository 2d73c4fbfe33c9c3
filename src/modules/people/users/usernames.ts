/** Usernames that look official. */
const RESERVED = new Set(
  'admin administrator api auth help support about root system me new edit settings staff moderator folkmoot'.split(
    ' ',
  ),
)

export const isReserved = (username: string) => RESERVED.has(username.toLowerCase())
