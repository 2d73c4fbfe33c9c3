/** By the word that names it: those that pretend to be others come before them. */
const BROWSERS: [RegExp, string][] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\/|\bOPiOS\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const nameIn = (known: [RegExp, string][], userAgent: string) =>
  known.find(([pattern]) => pattern.test(userAgent))?.[1]

/** What a browser says of itself, as people call it; undefined where that cannot be told. */
export function deviceOf(userAgent: string | null): { browser?: string; system?: string } {
  if (userAgent === null) return {}
  return { browser: nameIn(BROWSERS, userAgent), system: nameIn(SYSTEMS, userAgent) }
}
