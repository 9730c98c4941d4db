export const AUDIT_ACTIONS = [
  'feed.create',
  'feed.change',
  'feed.delete',
  'feed.import',
  'feed.restore',
  'experiment.create',
  'experiment.change',
  'experiment.stop',
  'experiment.delete',
  'experiment.import',
  'learning.freeze',
  'learning.thaw',
  'learning.reset',
  'learning.fall_back',
  'key.create',
  'key.revoke',
] as const;

export interface AuditChange {
  account: string;
  /** seconds */
  at: number;
  /** Who made the change, as in `Edit`. */
  actor: string;
  action: (typeof AUDIT_ACTIONS)[number];
  /** The id of the feed, experiment or key. */
  object: string;
  /** The revision of the feed or experiment after the change; null for keys and what was deleted. */
  revision: number | null;
}

/** The last of one or more changes that are listed as one. */
export interface AuditEntry extends AuditChange {
  /** Counts up over all accounts. */
  audit_id: number;
  /** The number of changes: by the same actor, of the same action, mostly of the same object in the same minute. */
  count: number;
}
