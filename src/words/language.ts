/** The languages in which the pages are complete. The first one is for whoever asks for none of them. */
export const LANGUAGES = ['en', 'de'] as const

export type Language = (typeof LANGUAGES)[number]

export const isLanguage = (text: string | undefined): text is Language =>
  LANGUAGES.some((language) => language === text)

/** What each is called by those who speak it. */
export const OWN_NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch' }

/** The variety by which dates and numbers are written. */
export const LOCALES: Record<Language, string> = { en: 'en-GB', de: 'de-DE' }
