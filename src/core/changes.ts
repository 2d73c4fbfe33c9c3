type Settings = Record<string, boolean | number | string>

export type Changes = Record<string, { from: Settings[string]; to: Settings[string] }>

/** Which settings would be other than they are, as the audit log keeps them. What is asked for as it is, is no change. */
export const changesOf = (now: Settings, asked: Partial<Settings>): Changes =>
  Object.fromEntries(
    Object.entries(asked).flatMap(([field, to]) => {
      const from = now[field]
      return to === undefined || from === undefined || to === from ? [] : [[field, { from, to }]]
    }),
  )
