import type { Visit } from '@/http/visit'
import type { Sent } from '@/web/form'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { message } from '@/web/message'
import type { Words } from '@/words/words'
import { passIdOf } from './id'

/** Shows the form's error on the pass page. */
export const refusedForm =
  (deed: keyof Words['passes']['failed']) =>
  (visit: Visit, { id = '' }: Record<string, string>, { problem }: Sent): Page => {
    const { passes } = wordsFor(visit)
    return message({
      title: passes.failed[deed],
      text: problem.text,
      to: { href: toPass({ id }), label: passes.back },
    })
  }

export const toPass = ({ id }: { id?: unknown }): string => `/pass/${passIdOf(String(id)) ?? ''}`
