import type { QueryConfig } from 'pg';

/**
 * How far the primary has written its log, and in which history; each promotion begins a new one. What anyone was told
 * is committed lies before that position: with `synchronous_commit` off a commit is answered before its log is flushed,
 * else after. The setting is that of the role, which is also the role of those who write.
 */
const PRIMARY = `select left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) as history, pg_wal_lsn_diff(
    case current_setting('synchronous_commit')
      when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end, '0/0')::text as lsn`;

/** A position in the log of the primary; bytes, as PostgreSQL writes them. */
export interface PrimaryRow {
  history: string;
  lsn: string;
}

export const primaryPosition: QueryConfig = { name: 'primary-position', text: PRIMARY };

export interface ReplicaRow {
  /** Whether it replays the log of another server. */
  standby: boolean;
  /** How far it has replayed it, in bytes; null where it never did. */
  lsn: string | null;
}

/** What a replica has replayed is visible to every statement that starts afterwards on the same server. */
export const replicaPosition: QueryConfig = {
  name: 'replica-position',
  text: `select pg_is_in_recovery() as standby, pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text as lsn`,
};

/** The cluster whose copies have the same number. */
export const systemOf: QueryConfig = {
  name: 'system',
  text: 'select system_identifier::text as system from pg_control_system()',
};

/** The server behind a connection, so that two behind one address are told apart. */
export const serverOf: QueryConfig = {
  text: `select concat_ws(' ', inet_server_addr(), inet_server_port(), pg_postmaster_start_time()) as server`,
};
