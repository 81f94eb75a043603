import type { QueryConfig } from 'pg';

/**
 * The end of the primary's log, and its timeline; each promotion begins a new one. Every commit that was answered lies
 * before this position: with `synchronous_commit` off a commit is answered before its log is flushed, else after. The setting
 * is the role's, and the same role writes.
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
  /** Bytes of the log that it has replayed; null if none. */
  lsn: string | null;
}

/** Statements that start afterwards on the same server see everything up to this position. */
export const replicaPosition: QueryConfig = {
  name: 'replica-position',
  text: `select pg_is_in_recovery() as standby, pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text as lsn`,
};

/** The same for a primary and its replicas. */
export const systemOf: QueryConfig = {
  name: 'system',
  text: 'select system_identifier::text as system from pg_control_system()',
};

/** Identifies the server behind a connection, to tell apart two servers behind one address. */
export const serverOf: QueryConfig = {
  text: `select concat_ws(' ', inet_server_addr(), inet_server_port(), pg_postmaster_start_time()) as server`,
};
