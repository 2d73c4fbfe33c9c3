import postgres from 'postgres'

/** Everything that a schema consists of, as sorted lines; the order of columns in a table means nothing to us. */
export async function schemaOf(url: string): Promise<string[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const rows = await sql<{ line: string }[]>`
    with ours as (
      select c.oid, c.relname, c.relkind, c.reloptions from pg_class c
      where c.relnamespace = 'public'::regnamespace
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e'))
    select concat_ws(' ', 'relation', relkind, relname, reloptions) as line from ours
    union all
    select concat_ws(' ', 'column', relname, attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
      attgenerated, pg_get_expr(adbin, adrelid))
    from ours join pg_attribute on attrelid = ours.oid and attnum > 0 and not attisdropped
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relkind in ('r', 'p')
    union all
    select concat_ws(' ', 'constraint', relname, conname, convalidated, pg_get_constraintdef(c.oid))
    from ours join pg_constraint c on conrelid = ours.oid
    union all
    select concat_ws(' ', 'index', pg_get_indexdef(oid)) from ours where relkind = 'i'
    union all
    select concat_ws(' ', 'trigger', tgenabled, pg_get_triggerdef(t.oid))
    from ours join pg_trigger t on tgrelid = ours.oid and not tgisinternal
    union all
    select concat_ws(' ', 'function', pg_get_functiondef(p.oid)) from pg_proc p
    where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    union all
    select concat_ws(' ', 'type', typname, typtype) from pg_type t
    where typnamespace = 'public'::regnamespace and typtype in ('e', 'd')
    union all
    select concat_ws(' ', 'extension', extname) from pg_extension
    union all
    select concat_ws(' ', 'migration', hash, created_at) from drizzle.__drizzle_migrations
    order by line`
  await sql.end()
  return rows.map(({ line }) => line)
}
