import type { Sent } from '@/web/form'
import type { Page } from '@/web/layout'
import { message } from '@/web/message'
import { passIdOf } from './id'

/** Says what came of a form about a pass that could not be done; the page with the form is the pass itself. */
export const refusedForm =
  (title: string) =>
  (_: unknown, { id = '' }: Record<string, string>, { problem }: Sent): Page =>
    message({ title, text: problem.text, to: { href: toPass({ id }), label: 'Back to the pass' } })

/** The page of a pass, from whatever named it. */
export const toPass = ({ id }: { id?: unknown }): string => `/pass/${passIdOf(String(id)) ?? ''}`
