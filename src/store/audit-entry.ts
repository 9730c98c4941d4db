/** What can be done to what is audited. */
export const AUDIT_ACTIONS = [
  'feed.create',
  'feed.change',
  'feed.delete',
  'feed.import',
  'key.create',
  'key.revoke',
] as const;

/** A change that somebody made to a feed or key of an account. */
export interface AuditChange {
  account: string;
  /** seconds */
  at: number;
  /** See `Edit`. */
  actor: string;
  action: (typeof AUDIT_ACTIONS)[number];
  /** The feed or key. */
  object: string;
  /** Of a feed that is still there: its revision after the change. */
  revision: number | null;
}

export interface AuditEntry extends AuditChange {
  /** Counts up over all accounts. */
  audit_id: number;
}
