/** Complete translations. The first one is the default. */
export const LANGUAGES = ['en', 'de'] as const

export type Language = (typeof LANGUAGES)[number]

export const isLanguage = (text: string | undefined): text is Language =>
  LANGUAGES.some((language) => language === text)

/** The name of each language in that language. */
export const OWN_NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch' }

/** Locales for dates and numbers. */
export const LOCALES: Record<Language, string> = { en: 'en-GB', de: 'de-DE' }
