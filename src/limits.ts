/** Every hard limit of the service, with its unit; the relations between them are asserted at the end. */
export const LIMITS = {
  /** Characters of an identifier (user, item, author, app, request). */
  id_length_max: 256,
  request_id_length_max: 64,
  /** Entries of the audit log that are kept for each account, and given by one answer. */
  audit_entries_max: 10_000,
  audit_listed_max: 1_000,
  audit_listed_default: 100,
  /** How long a viewer token may be valid. */
  token_seconds_max: 86_400,
  /** Times are stored as unsigned 32-bit seconds plus milliseconds: until 2106. */
  stored_seconds_max: 2 ** 32 - 1,
  /** Users, and items, that were ever named: whoever bears one of these keys, it fits a column of keys. */
  keys_max: 2 ** 31,
  /** Above this share of a limit of the state, a start warns. */
  state_limit_told_share: 0.9,
  /** An item dated further ahead than this is not eligible yet. */
  future_tolerance_seconds: 60,

  top_k_default: 25,
  top_k_max_for_you: 500,
  top_k_max_ranked: 1000,

  /** The runtime closes connections that were idle for longer, whatever is asked of it. */
  idle_connection_seconds_max: 255,

  ingest_records_max: 10_000,
  /** Users in one whole list of follows. */
  follow_list_length_max: 100_000,
  body_bytes_max: 16 * 1024 * 1024,
  /** Bodies of requests that are under way, together. */
  bodies_bytes_max: 64 * 1024 * 1024,
  /** The body of a feed request, and that of a configuration: each is parsed in one go. */
  feed_body_bytes_max: 4 * 1024 * 1024,
  config_body_bytes_max: 8 * 1024 * 1024,
  /** A body up to this is taken although there is no room for others: feed requests, and all that needs no key. */
  small_body_bytes_max: 64 * 1024,
  /** What an answer may have: pages leave metadata out and lists end beyond it. */
  answer_bytes_max: 16 * 1024 * 1024,
  /** Of answers together, what their clients have not taken; of these an account and callers without a key have shares. */
  unsent_bytes_max: 128 * 1024 * 1024,
  /** An answer that is taken more slowly than this after its first seconds is cut. */
  answer_seconds: 30,
  answer_bytes_per_second_min: 32 * 1024,
  /** A page of a caller without a key. */
  keyless_page_bytes_max: 1024 * 1024,
  /** An answer that is made while it is sent is cut when its client takes nothing of it for so long. */
  stalled_stream_seconds: 30,
  /** Answers of that kind at the same time. */
  streams_max: 16,
  /** Rows of the log that the export of a person looks at before the event loop gets a turn. */
  person_export_rows: 5_000,
  /** Requests under way at the same time. */
  requests_default: 4_096,
  /** Of these, the share that may be of callers without a key. */
  keyless_share: 1 / 4,
  /** The share that may be of one account: of requests under way, and of the room for their bodies. */
  account_share: 1 / 2,
  /** A body of which nothing arrives for so long, or on average less than `body_bytes_per_second_min` after it, is given up. */
  body_seconds: 10,
  body_bytes_per_second_min: 32 * 1024,
  /** Requests of one viewer that wait for each other. */
  turns_waiting_max: 64,
  /** Objects and arrays within each other in the body of a request. */
  body_depth_max: 64,
  /** Records validated and applied before the event loop gets a turn, or fewer that have so many characters. */
  ingest_slice_records: 250,
  ingest_slice_characters: 256 * 1024,
  /** Records of such a slice while pages are asked for. */
  ingest_slice_records_read: 100,
  rejections_listed_max: 100,
  /** Warnings of one answer. */
  warnings_listed_max: 100,
  /** Faults of one value that are looked for, and that an answer lists. */
  faults_listed_max: 100,

  /** A store that has not answered for so long may have lost its way to us: writes are refused until it does. */
  store_patience_seconds: 15,
  transaction_rows_max: 2_000,
  /** Rows of a transaction that are applied before the event loop gets a turn: under a millisecond. */
  applied_rows_max: 250,
  /** Rows that a purge looks at before the writer may go on storing. */
  purge_step_rows: 20_000,
  /** Erasures, and deletions, that one round of a purge works off. */
  purge_markers_max: 5_000,
  /** For how long an event that never came may still come and find that it was taken back. */
  event_removal_seconds: 90 * 86_400,
  /** From the end of a purge to the next. */
  purge_every_seconds: 6 * 3600,

  /** For how long a deletion is remembered, so that what is delivered late does not undo it: 90 days. */
  tombstone_seconds: 90 * 86_400,

  /** From the end of a round of retiring items to the next. */
  retention_every_seconds: 300,
  /** Items of one retirement, and the acts on them (beside those of the last): taken out within milliseconds. */
  retired_items_max: 2_000,
  retired_acts_max: 2_000,
  /** Of all items, a round looks at this share for those that nothing was heard of; at so many at least … */
  retention_look_share: 1 / 12,
  retention_look_min: 20_000,
  /** … and at so many before the event loop gets a turn. */
  retention_look_slice: 2_000,

  write_queue_default: 100_000,

  checkpoint_changes_default: 200_000,
  /** Large communities also wait until this share of all changes is new. */
  checkpoint_changes_share: 0.02,
  checkpoint_every_seconds_default: 600,
  /** How often, at most and at least, to look whether a checkpoint is due. */
  checkpoint_look_seconds: 60,
  checkpoint_look_seconds_min: 0.02,

  text_length_max: 100_000,
  list_length_max: 1_000,
  metadata_bytes_max: 64 * 1024,

  social_proof_max: 3,

  /** Reported items of one list. */
  reports_listed_default: 25,
  reports_listed_max: 100,

  /** Saved feeds of one list. */
  feeds_listed_default: 100,
  feeds_listed_max: 1_000,

  fallback_feeds_max: 3,
  promoted_items_max: 1_000,
  /** A larger share of promoted items is allowed, with a warning. */
  promotion_percent_advised_max: 50,

  /** Characters of JSON text of a saved feed's `config`. */
  config_length_max: 1024 * 1024,

  /** Feeds of requests that are kept compiled, and the length of their descriptions (characters of JSON text). */
  compiled_feeds_kept_max: 1_000,
  compiled_feed_key_length_max: 65_536,
  /** Of all descriptions together. */
  compiled_feeds_length_max: 4_096_000,

  /** How long the answer to a request with a `request_id` can be asked for again. */
  reply_seconds: 600,
  /** Such answers in memory. */
  replies_kept_max: 10_000,
  replies_bytes_max: 64 * 1024 * 1024,

  /** A feed request that takes longer is refused once it has counted more units of work, about one an item that is looked at, … */
  request_budget_ms: 500,
  request_units_free: 500_000,
  /** … and after this in any case, if it calls third parties' plugins. */
  request_plugins_ms: 2_000,
  /** A call of such a plugin counts for so many units. */
  plugin_call_units: 64,

  /** A third party's plugin that takes longer for one page is warned about. */
  plugin_budget_ms: 10,
  /** From one such warning to the next about the same plugin. */
  plugin_warning_seconds: 60,

  /** A request that takes longer is logged as slow. */
  slow_request_ms: 1_000,
  /** Of slow requests of one route, and of what the store refuses for one reason, one is logged each time that so much has passed. */
  one_of_a_kind_logged_ms: 10_000,
} as const;

function assertRelations(): void {
  const ordered: [number, number, string][] = [
    [LIMITS.top_k_default, LIMITS.top_k_max_for_you, 'the default page fits the smallest maximum'],
    [LIMITS.top_k_max_for_you, LIMITS.top_k_max_ranked, 'for-you pages are the shorter ones'],
    [LIMITS.ingest_slice_records, LIMITS.ingest_records_max, 'a body is at least one slice'],
    [LIMITS.ingest_slice_records, LIMITS.transaction_rows_max, 'a slice fits one transaction'],
    [LIMITS.transaction_rows_max, LIMITS.write_queue_default, 'the queue holds at least one transaction'],
    [LIMITS.ingest_records_max, LIMITS.write_queue_default, 'the queue holds at least one body'],
    [
      6 * LIMITS.config_length_max,
      LIMITS.config_body_bytes_max,
      'a configuration fits, each character escaped',
    ],
    [
      2 * LIMITS.answer_bytes_max,
      LIMITS.unsent_bytes_max * Math.min(LIMITS.account_share, LIMITS.keyless_share),
      'two of the largest answers may wait for their clients, whoever these are',
    ],
    [LIMITS.config_body_bytes_max, LIMITS.body_bytes_max, 'one value is less than many records'],
    [
      LIMITS.body_bytes_max,
      LIMITS.bodies_bytes_max * LIMITS.account_share,
      'there is room for the largest body of an account',
    ],
    [
      LIMITS.compiled_feed_key_length_max,
      LIMITS.compiled_feeds_length_max,
      'there is room for the longest description',
    ],
  ];
  for (const [smaller, larger, why] of ordered) {
    if (smaller > larger) throw new Error(`limits disagree: ${why}`);
  }
}
assertRelations();
