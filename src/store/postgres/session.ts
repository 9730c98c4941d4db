/**
 * What a session is told that holds something others wait for. The end of a process reaches the server at once; that of its host,
 * or of the way to it, does not: without this a server asks after two hours for the first time.
 */

/**
 * A client of which nothing has been heard for so long is gone. Less than patience lasts, so that who waits for what it held does not
 * take the server for silent.
 */
export const GONE_SECONDS = 10;

/** Of the session, and to be found out by TCP: so many questions without an answer, while there is nothing to send. */
const KEEPALIVES = { tcp_keepalives_idle: 4, tcp_keepalives_interval: 3, tcp_keepalives_count: 2 };

/**
 * Expressions of a `select` after which the server notices within `GONE_SECONDS` that the host of its client is gone, also while it
 * is sending. They stay with the session, and cost nothing when they are as they were. Not asked for when a session begins: poolers
 * take few settings there. On Unix sockets they mean nothing and are accepted.
 */
export const NOTICES_LOST_CLIENT = told({ ...KEEPALIVES, tcp_user_timeout: GONE_SECONDS * 1000 });

/**
 * The same for those who are sent more at once than finds room on the way. While it is sending, a server would also take a client for gone
 * that does not read for so long, as one that is stopped (`SIGSTOP`, a debugger, a machine that is held), so a lost one may take it a
 * quarter of an hour.
 */
export const NOTICES_LOST_READER = told({ ...KEEPALIVES, tcp_user_timeout: 0 });

function told(settings: Readonly<Record<string, number>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `set_config('${name}', '${value}', false)`)
    .join(', ');
}

/**
 * Another, for transactions: one that its client has left alone for so long is ended, with its session. For what TCP cannot
 * know, as where something in between goes on answering.
 */
export const ENDS_LEFT_TRANSACTION = `set_config('idle_in_transaction_session_timeout', '${GONE_SECONDS}s', true)`;
