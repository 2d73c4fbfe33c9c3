import { type TSchema, Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { notFound } from '@/core/errors'
import { id, oneOf } from '@/core/fields'
import type { Scope } from '@/core/scopes'
import { iso, orNull, wireId, wireTime } from '@/core/shapes'
import { db } from '@/db/client'
import type { Job } from './job'
import { findJob } from './queries'

const JobInput = Type.Object({ id: id() })

const shapeOf = <R extends TSchema>(result: R) =>
  Type.Object({
    id: wireId(),
    status: oneOf(['queued', 'running', 'done', 'failed']),
    done: Type.Number(),
    total: orNull(Type.Number({ description: 'Null while nobody knows how much there is.' })),
    result: orNull(result),
    error: orNull(Type.String({ description: 'Why it failed, in words.' })),
    createdAt: wireTime(),
    finishedAt: orNull(wireTime()),
  })

/** The action that returns a job's status to its owner, and 404 to everyone else. */
export const readJob = <R extends TSchema>(
  kind: Pick<Job, 'name'> & { result: R },
  { name, access, summary }: { name: string; access: Scope; summary: string },
) =>
  action({
    name,
    access,
    summary,
    input: JobInput,
    output: shapeOf(kind.result),
    errors: ['not_found'],
    run: async ({ userId }, input) => {
      const found = await findJob(db, kind.name, userId, input.id)
      if (!found) throw notFound('Job')
      const { id, status, done, total, result, error } = found
      return {
        id,
        status,
        done,
        total,
        result: result as never,
        error,
        createdAt: iso(found.createdAt),
        finishedAt: iso(found.finishedAt),
      }
    },
  })
