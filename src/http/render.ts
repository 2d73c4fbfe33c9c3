import { type TSchema, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { config } from '@/config/config'
import { projector } from '@/core/project'

/** Puts a result into its envelope and strips what the schema does not name, so that a leak needs two mistakes. */
export function renderer(output: TSchema): (value: unknown) => unknown {
  const isPage = output.type === 'object' && 'pagination' in (output.properties ?? {})
  const envelope = isPage ? output : Type.Object({ data: output })
  const project = projector(envelope)
  // Tests also hold every answer against its schema; in production a wrong type is no reason to fail.
  const check = config.mode === 'test' ? TypeCompiler.Compile(envelope) : undefined
  return (value) => {
    const answer = project(isPage ? value : { data: value })
    if (check && !check.Check(JSON.parse(JSON.stringify(answer))))
      throw new Error(`answer does not fit its schema: ${check.Errors(answer).First()?.path}`)
    return answer
  }
}
