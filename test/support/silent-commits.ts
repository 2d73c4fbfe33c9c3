import postgres from 'postgres'

/**
 * PostgreSQL does not answer commits that have updated or inserted rows of this table, until `answer`: as if it waited for a
 * standby. By then the client has stopped waiting, and the commit happens all the same.
 */
export async function silenceCommits(table: string): Promise<{ answer(): Promise<void> }> {
  const outside = postgres(process.env.DATABASE_URL as string, { max: 1, onnotice: () => {} })
  await outside`select pg_advisory_lock(77)`
  await outside.unsafe(`
    create function be_patient() returns trigger language plpgsql as $$
    begin
      perform set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true);
      return new;
    end $$;
    create function be_silent() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock_shared(77); return null; end';
    create trigger before_commit before insert or update on ${table} for each row execute function be_patient();
    create constraint trigger at_commit after insert or update on ${table} deferrable initially deferred
      for each row execute function be_silent()`)
  return {
    async answer() {
      await outside`select pg_advisory_unlock(77)`
      // Waits for the commits that were held up.
      await outside.unsafe(`
        drop trigger before_commit on ${table};
        drop trigger at_commit on ${table};
        drop function be_patient, be_silent`)
      await outside.end()
    },
  }
}
