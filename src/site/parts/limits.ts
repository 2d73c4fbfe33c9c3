import { type Html, html } from '@/web/html'
import { moment } from '@/web/when'
import type { Words } from '@/words/words'

type Limited = { maxUses: number | null; currentUses: number; expiresAt: string | null }

/** Uses of a code or link, and its limits. */
export const limitsLine = ({ maxUses, currentUses, expiresAt }: Limited, zone: string, words: Words): Html =>
  html`${words.manage.uses(currentUses, maxUses)}${expiresAt && html` · ${words.manage.until} ${moment(new Date(expiresAt), zone, words)}`}`
