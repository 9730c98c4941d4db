/** The actions that the audit log records. */
export const AUDIT_ACTIONS = [
  'feed.create',
  'feed.change',
  'feed.delete',
  'feed.import',
  'feed.restore',
  'key.create',
  'key.revoke',
] as const;

/** An audited change to a feed or a key of an account. */
export interface AuditChange {
  account: string;
  /** seconds */
  at: number;
  /** Who made the change, as in `Edit`. */
  actor: string;
  action: (typeof AUDIT_ACTIONS)[number];
  /** The id of the feed or key. */
  object: string;
  /** The revision of the feed after the change; null for keys and deleted feeds. */
  revision: number | null;
}

export interface AuditEntry extends AuditChange {
  /** Counts up over all accounts. */
  audit_id: number;
}
