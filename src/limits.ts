/** All hard limits of the service, with their units. Relations between them are asserted at the end. */
export const LIMITS = {
  /** Maximum length of an identifier (user, item, author, app, request), in characters. */
  id_length_max: 256,
  request_id_length_max: 64,
  /**
   * Number of audit log entries of a key in an account from which its changes of a day are one entry per action. Also the
   * number of latest entries of an account that stay longer than the others, for keys and for all else apart.
   */
  audit_entries_max: 10_000,
  /** How long every audit log entry stays: 30 days. */
  audit_kept_seconds: 30 * 86_400,
  /** Maximum number of entries that a list of the audit log skips, and that it shows. */
  audit_offset_max: 100_000,
  audit_listed_max: 1_000,
  audit_listed_default: 100,
  /** Maximum number of experiments of an account, running or stopped. */
  experiments_max: 200,
  /**
   * Maximum number of experiments of an account that run at a time, and of all accounts. An act is stored once for each
   * experiment that assigns its viewer. An account may run at most as many as all leave free, so another one has room.
   */
  experiments_running_max: 20,
  experiments_running_in_all_max: 100,
  /** Maximum number of variants in an experiment, and of ended periods that are kept. */
  experiment_variants_max: 10,
  experiment_periods_kept: 10,
  experiment_name_length_max: 200,
  /** Changes of the percents in a period. Each may split the viewers of each variant into further cohorts. */
  experiment_percent_changes_max: 100,
  attribution_hours_max: 168,
  attribution_hours_default: 24,
  /** Minimum length of keys and secrets that are set. */
  secret_length_min: 16,
  /** Requests with unknown keys that are answered 401 a second, of one connection and in all. Others get 429. */
  wrong_keys_per_second: 10,
  wrong_keys_per_second_in_all: 100,
  /** The share of a key's rate limit for one viewer with tokens of the key, and the least that it is. */
  viewer_rate_share: 1 / 10,
  viewer_requests_per_second_min: 5,
  /** Maximum lifetime of a viewer token. */
  token_seconds_max: 86_400,
  /** The last time that can be stored (2106): times are unsigned 32-bit seconds plus milliseconds. */
  stored_seconds_max: 2 ** 32 - 1,
  /** Maximum number of users, and of items, that were ever named. Their keys must fit the key columns. */
  keys_max: 2 ** 31,
  /** The service warns at the start if more than this share of a limit of the state is used. */
  state_limit_warned_share: 0.9,
  /** Items that are dated further ahead are not eligible yet. */
  future_tolerance_seconds: 60,

  top_k_default: 25,
  top_k_max_for_you: 500,
  top_k_max_ranked: 1000,
  /** The range of `candidate_limit`, the number of candidates that are scored. */
  candidate_limit_min: 100,
  candidate_limit_max: 2_000,
  /**
   * The number of candidates of third-party scoring functions that declare no other, and of pages with factors of the
   * viewer (`repeat_author_decay`, `more`, `less`): their best items may be far down in any list of proposals.
   */
  candidates_wider: 500,

  /** Maximum number of signals that a feed learns. */
  learnt_signals_max: 24,

  /** The runtime's own maximum idle time of connections. */
  idle_connection_seconds_max: 255,

  /** Maximum number of labels, also of those that were taken back: of one labeler, and of all. */
  labels_per_labeler_max: 1_000_000,
  labels_max: 10_000_000,
  /** Maximum number of different values of labels, of one labeler and of all. */
  label_values_per_labeler_max: 1_000,
  label_values_max: 20_000,

  ingest_records_max: 10_000,
  /** Maximum number of users in one complete list of follows. */
  follow_list_length_max: 100_000,
  /** Maximum number of users of a list, of lists, and of members of all lists. */
  user_list_length_max: 100_000,
  user_lists_max: 1_000,
  user_list_entries_max: 5_000_000,
  /** Maximum number of users with preferences, and of bytes of their preferences as JSON text. */
  users_with_preferences_max: 4_000_000,
  preferences_bytes_max: 2 ** 30,
  body_bytes_max: 16 * 1024 * 1024,
  /** Maximum size of the bodies of all current requests. */
  bodies_bytes_max: 64 * 1024 * 1024,
  /** Smaller limits for bodies of feed requests and configurations, which are parsed without interruption. */
  feed_body_bytes_max: 4 * 1024 * 1024,
  config_body_bytes_max: 8 * 1024 * 1024,
  /** Maximum size of a delivery to a webhook. */
  webhook_body_bytes_max: 1024 * 1024,
  /** Bodies up to this size are accepted even when the room for bodies is used up. */
  small_body_bytes_max: 64 * 1024,
  /** Maximum size of an answer. Larger pages leave out metadata, and larger lists are cut. */
  answer_bytes_max: 16 * 1024 * 1024,
  /** Maximum size of all unsent answers. An account and callers without a key each have a share of it. */
  unsent_bytes_max: 128 * 1024 * 1024,
  /** An answer is cut if its client reads more slowly than this after these seconds. */
  answer_seconds: 30,
  answer_bytes_per_second_min: 32 * 1024,
  /** Maximum size of a page for callers without a key. */
  keyless_page_bytes_max: 1024 * 1024,
  /** A streamed answer is cut if its client is behind `answer_bytes_per_second_min` by this time. */
  stalled_stream_seconds: 30,
  /** Maximum number of concurrent streamed answers. An account has a share of them. */
  streams_max: 16,
  /** The number of log rows that the export of a person reads per turn of the event loop. */
  person_export_rows: 5_000,
  /** Maximum time for which a process that stops still serves, seconds. */
  drain_seconds_max: 600,
  /** Maximum number of concurrent requests. */
  requests_default: 4_096,
  /** The share of these, and of the room for bodies, for callers without a key. */
  keyless_share: 1 / 4,
  /** The share of the room for bodies for one webhook: its senders are strangers until a body has arrived. */
  webhook_share: 1 / 16,
  /** The share of concurrent requests, and of the room for bodies, for one account. */
  account_share: 1 / 2,
  /** A body is rejected if nothing arrives for this time, or if it is on average slower than the minimum after it. */
  body_seconds: 10,
  /** The same time for a body without a key: the whole time for a small one. */
  keyless_body_seconds: 2,
  body_bytes_per_second_min: 32 * 1024,
  /** Maximum number of queued requests per viewer. */
  turns_waiting_max: 64,
  /** Maximum number and size of records that are validated and applied per turn of the event loop. */
  ingest_slice_records: 250,
  ingest_slice_characters: 256 * 1024,
  /** The same number during feed requests. */
  ingest_slice_records_read: 100,
  rejections_listed_max: 100,
  /** Maximum number of warnings per answer. */
  warnings_listed_max: 100,
  /** Maximum number of faults that are searched for and listed per value. */
  faults_listed_max: 100,

  /** After this time without an answer the store counts as unreachable, and writes are rejected until it answers. */
  store_patience_seconds: 15,
  transaction_rows_max: 2_000,
  /** An account queues no more records while it has this number of rows in the write queue: two transactions. */
  account_queued_rows: 4_000,
  /** The number of rows of a transaction that are applied per turn of the event loop: less than a millisecond. */
  applied_rows_max: 250,
  /** The number of rows that a purge examines before the writer may continue. */
  purge_step_rows: 20_000,
  /** Maximum number of erasures, and of deletions, per round of a purge. */
  purge_markers_max: 5_000,
  /** How long the removal of an unknown event is remembered, in case the event arrives late. */
  event_removal_seconds: 90 * 86_400,
  /** The time from the end of a purge to the next. */
  purge_every_seconds: 6 * 3600,
  /** A write-ahead log of the embedded database that is longer is emptied, and the time between two looks at it. */
  database_log_bytes_max: 16 * 1024 * 1024,
  database_log_check_seconds: 5,

  /** How long a deletion is remembered, so that late records do not undo it: 90 days. */
  tombstone_seconds: 90 * 86_400,

  /** The time from the end of a round of retention to the next. */
  retention_every_seconds: 300,
  /** Maximum number of items per retirement, and of interactions on them except the last item's: some milliseconds. */
  retired_items_max: 2_000,
  retired_acts_max: 2_000,
  /** A round of retention checks this share of all items for recent activity, but at least this number. */
  retention_check_share: 1 / 12,
  retention_check_min: 20_000,
  /** The number of items that it checks per turn of the event loop. */
  retention_check_slice: 2_000,

  write_queue_default: 100_000,

  checkpoint_changes_default: 200_000,
  /** A checkpoint also waits until this share of all changes is new, which matters for large communities. */
  checkpoint_changes_share: 0.02,
  checkpoint_every_seconds_default: 600,
  /** The longest and the shortest interval of checking whether a checkpoint is due. */
  checkpoint_look_seconds: 60,
  checkpoint_look_seconds_min: 0.02,
  /** How long a process that follows another keeps files of former checkpoints, which may contain erased data. */
  former_checkpoint_seconds: 3_600,

  text_length_max: 100_000,
  list_length_max: 1_000,
  metadata_bytes_max: 64 * 1024,
  /** The range of numbers in the embedding of an item. */
  embedding_length_min: 16,
  embedding_length_max: 1_024,

  social_proof_max: 3,

  /** The number of reported items per list. */
  reports_listed_default: 25,
  reports_listed_max: 100,

  /** The number of users, items or channels per search. */
  searched_default: 25,
  searched_max: 100,

  /** Maximum number of preceding items that semantic diversity compares an item with. */
  semantic_horizon_max: 100,
  /** Maximum number of items that are similar to one, per answer. */
  similar_max: 100,

  /** Maximum number of buckets of an item's counts over time. */
  count_buckets_max: 1_000,

  /** The number of saved feeds per list. */
  feeds_listed_default: 100,
  feeds_listed_max: 1_000,
  /** Number of templates of one account in the list of all accounts' templates, newest first. */
  templates_listed_of_account: 20,
  /** Number of revisions of a feed that are kept and listed, however many are made in a minute. */
  feed_revisions_latest: 100,
  feed_revisions_listed_max: 1_000,
  /** Maximum size of the former revisions per account. A smaller revision counts as the least size. */
  feed_revisions_bytes_max: 64 * 1024 * 1024,
  feed_revision_bytes_min: 4_096,
  /** Number of deleted feeds that a list shows, latest first. */
  deleted_feeds_listed_max: 100,
  /** How long a deleted feed can be restored: 30 days. */
  feed_restore_seconds: 30 * 86_400,
  /** Maximum number of record keys that are kept for an account so long after its feeds gave them up. */
  released_keys_max: 1_000,

  fallback_feeds_max: 3,
  promoted_items_max: 1_000,
  /** A larger share of promoted items causes a warning. */
  promotion_percent_advised_max: 50,

  /** Maximum length of a saved feed's `config` in characters of JSON text. */
  config_length_max: 1024 * 1024,

  /** Maximum number of cached compiled feeds, and length of the description of each (characters of JSON text). */
  compiled_feeds_kept_max: 1_000,
  compiled_feed_key_length_max: 65_536,
  /** Maximum length of all descriptions. */
  compiled_feeds_length_max: 4_096_000,

  /** Former revisions of feeds, which running experiments serve, that are cached, and their size as JSON. */
  pinned_feeds_kept_max: 1_000,
  pinned_feeds_bytes_max: 32 * 1024 * 1024,

  /** A series of pages with cursors ends when it has shown this number of items. */
  cursor_items_max: 1_000,
  /** The cursors of a series expire this time after its first page. */
  cursor_seconds: 86_400,
  /** Maximum length of a cursor in characters: four bytes per key, and a few more. */
  cursor_length_max: 6_000,

  /** The number of posts of a page on Bluesky, as its lexicon says. */
  bluesky_page_default: 50,
  bluesky_page_max: 100,
  /** Maximum number of interactions that Bluesky may report at once. */
  bluesky_interactions_max: 250,
  /** Maximum lifetime of a token that was made for one request to this service. */
  bluesky_token_seconds_max: 3_600,
  /** Reported interactions per second of one viewer, and of all viewers, since anybody can make new accounts. */
  bluesky_viewer_interactions_per_second: 25,
  bluesky_interactions_per_second: 500,
  /** Of these, so many seconds' worth may be reported at once. */
  bluesky_interactions_window_seconds: 10,
  /** The time constant with which stored interactions of a viewer are forgotten, when all viewers share their limit. */
  bluesky_viewer_use_seconds: 60,
  /**
   * Documents of accounts that have not signed a token here, per minute: from the directory of did:plc, and from hosts of
   * did:web. Anybody can name accounts, and so make this service send requests to such hosts.
   */
  bluesky_plc_documents_per_minute: 600,
  bluesky_web_documents_per_minute: 60,

  /** How long the answer to a request with a `request_id` is cached. */
  cached_answer_seconds: 600,
  /** Maximum number of seen items of a viewer: the latest count. */
  seen_items_max: 200_000,
  /** Maximum number of them that a page examines to show some again, without those outside of a feed's narrow filters. */
  seen_examined_max: 20_000,
  /** Maximum number of viewers in one statement that reads or records seen items, and of such reads at a time. */
  seen_batch_max: 500,
  seen_reads_max: 3,
  /** Rows and parts of seen items that a sweep or an examination reads at a time. */
  seen_listed_max: 1_000,
  /** Sweeps of seen items: with every so manieth purge. */
  purges_per_seen_sweep: 4,
  /**
   * Shown pages are logged, all of them until so many were logged in an hour. Then those of half of the viewers are
   * logged, and of half of these each time that so many more were.
   */
  shown_pages_per_hour: 20_000,
  shown_pages_per_halving: 5_000,
  /** An author is a newcomer for so long after their oldest item, and active for so long after their newest. */
  recent_author_days: 30,
  /** How long a shown page stays in the log: 7 days. */
  shown_kept_seconds: 7 * 86_400,
  /** Weights of learnt models are stored so often, and kept for 90 days. */
  model_history_every_seconds: 3_600,
  /** Feeds that fell back are noted in the log and the audit log so often. */
  fall_backs_every_seconds: 60,
  model_history_seconds: 90 * 86_400,
  /** Pages that wait to be logged are written or sent after this time, at most so many at once. */
  shown_flush_seconds: 1,
  shown_batch_max: 250,
  /** Maximum number of pages that wait. Further ones are not logged. */
  shown_waiting_max: 2_000,
  /** The number of items whose counts are stored in one change. */
  shown_counts_items: 50_000,
  /** Days of which pages, shown items and acts are counted by feed, and the feeds of a day that are counted apart. */
  feed_days_kept: 30,
  feeds_counted_of_day: 1_000,
  /** Maximum length of the id of a page in characters. It is valid for a day. */
  page_id_length_max: 6_000,
  page_id_seconds: 86_400,
  /** Maximum number of reports of seen items in a body, and of items in a report. */
  reports_of_seen_max: 100,
  seen_report_items_max: 500,
  /** Maximum number of items that a warning names. */
  warned_items_max: 20,
  /** Maximum number and size of these answers. */
  cached_answers_max: 10_000,
  cached_answers_bytes_max: 64 * 1024 * 1024,

  /** A feed request is rejected if it has taken this time and counted more than the free units (about one per item). */
  request_budget_ms: 500,
  request_units_free: 500_000,
  /** A feed request that calls plugins is rejected after this time in any case. */
  request_plugins_ms: 2_000,
  /** The units that a call of a plugin counts. */
  plugin_call_units: 64,

  /** The service warns about a plugin that takes longer for one page. */
  plugin_budget_ms: 10,
  /** Minimum time between two warnings about the same plugin. */
  plugin_warning_seconds: 60,

  /** Requests that take longer are logged as slow. */
  slow_request_ms: 1_000,
  /** Minimum time between two log lines of one kind. */
  repeated_log_ms: 10_000,
} as const;

function assertRelations(): void {
  const ordered: [number, number, string][] = [
    [LIMITS.top_k_default, LIMITS.top_k_max_for_you, 'the default page fits the smallest maximum'],
    [LIMITS.top_k_max_for_you, LIMITS.top_k_max_ranked, 'for-you pages are the shorter ones'],
    [(4 / 3) * (4 * LIMITS.cursor_items_max + 32), LIMITS.cursor_length_max, 'the longest cursor is valid'],
    [LIMITS.ingest_slice_records, LIMITS.ingest_records_max, 'a body is at least one slice'],
    [LIMITS.ingest_slice_records, LIMITS.transaction_rows_max, 'a slice fits one transaction'],
    [LIMITS.transaction_rows_max, LIMITS.write_queue_default, 'the queue holds at least one transaction'],
    [LIMITS.ingest_records_max, LIMITS.write_queue_default, 'the queue holds at least one body'],
    [LIMITS.transaction_rows_max, LIMITS.account_queued_rows, 'an account fills at least one transaction'],
    [
      6 * LIMITS.config_length_max,
      LIMITS.config_body_bytes_max,
      'a configuration fits, each character escaped',
    ],
    [
      2 * LIMITS.answer_bytes_max,
      LIMITS.unsent_bytes_max * Math.min(LIMITS.account_share, LIMITS.keyless_share),
      'two of the largest answers may wait for any clients',
    ],
    [LIMITS.config_body_bytes_max, LIMITS.body_bytes_max, 'one value is less than many records'],
    [
      LIMITS.body_bytes_max,
      LIMITS.bodies_bytes_max * (1 - LIMITS.keyless_share - LIMITS.account_share),
      'there is room for the largest body of a second account',
    ],
    [
      2 * LIMITS.webhook_body_bytes_max,
      LIMITS.bodies_bytes_max * LIMITS.webhook_share,
      'there is room for two of the largest deliveries',
    ],
    [
      LIMITS.bluesky_interactions_max,
      LIMITS.bluesky_viewer_interactions_per_second * LIMITS.bluesky_interactions_window_seconds,
      'the largest report of a viewer is admitted',
    ],
    [2 * LIMITS.webhook_share, LIMITS.keyless_share, 'one webhook leaves room to others'],
    [
      LIMITS.small_body_bytes_max,
      LIMITS.keyless_body_seconds * LIMITS.body_bytes_per_second_min,
      'a small body without a key may arrive at the minimum rate',
    ],
    [
      2 * LIMITS.bluesky_interactions_max,
      LIMITS.bluesky_interactions_per_second * LIMITS.bluesky_interactions_window_seconds,
      'the largest report of a viewer leaves as much to all others',
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
