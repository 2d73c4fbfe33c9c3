type Settings = Record<string, boolean | number | string>

type Changes = Record<string, { from: Settings[string]; to: Settings[string] }>

/** The settings that differ, as the audit log stores them. */
export const changesOf = (now: Settings, asked: Partial<Settings>): Changes =>
  Object.fromEntries(
    Object.entries(asked).flatMap(([field, to]) => {
      const from = now[field]
      return to === undefined || from === undefined || to === from ? [] : [[field, { from, to }]]
    }),
  )
