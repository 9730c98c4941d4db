/**
 * Settings for sessions that hold a lock, a transaction or a snapshot.
 *
 * When a process ends, the server notices at once. When its host or the network fails, a server by default checks for
 * the first time after two hours.
 */

/**
 * A silent client counts as lost after this time.
 *
 * It is shorter than the timeout of reads, so that a read that waits for the client's lock does not make the server
 * look silent.
 */
export const GONE_SECONDS = 10;

/** Expressions of a `select` that turn off limits of the session, as far as the server knows them. */
const UNLIMITED = ['idle_session_timeout', 'transaction_timeout']
  .map(
    (name) =>
      `case when current_setting('${name}', true) is not null then set_config('${name}', '0', false) end`,
  )
  .join(', ');

/** TCP keepalive settings: number and interval of probes while the connection is idle. */
const KEEPALIVES = { tcp_keepalives_idle: 4, tcp_keepalives_interval: 3, tcp_keepalives_count: 2 };

/**
 * Expressions of a `select` that make the server notice a lost client host within `GONE_SECONDS`, and turn off its limits.
 *
 * This also works while the server is sending. The settings stay with the session. Poolers accept few settings at the
 * start of a session, so they are set later. Unix sockets accept and ignore them.
 */
export const NOTICES_LOST_CLIENT = settingsOf({ ...KEEPALIVES, tcp_user_timeout: GONE_SECONDS * 1000 });

/**
 * The same for clients that receive large results.
 *
 * Here the server must not drop a client that reads nothing for a while, such as a stopped process (`SIGSTOP`, a
 * debugger, a paused machine). While the server sends, it may take a quarter of an hour to notice a lost host.
 */
export const NOTICES_LOST_READER = settingsOf({ ...KEEPALIVES, tcp_user_timeout: 0 });

function settingsOf(settings: Readonly<Record<string, number>>): string {
  const set = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', false)`);
  return [...set, UNLIMITED].join(', ');
}

/**
 * Ends a transaction, with its session, that its client leaves idle.
 *
 * TCP cannot detect this, for example if a proxy keeps answering.
 */
export const ENDS_LEFT_TRANSACTION = `set_config('idle_in_transaction_session_timeout', '${GONE_SECONDS}s', true)`;
