import type { Static, TSchema } from '@sinclair/typebox';
import type { ConnectorHost, ConnectorRecord } from './connector.ts';
import type { Metadata } from './metadata.ts';
import type { ConnectTools } from './table-map.ts';
import type { WebhookSignature } from './webhook.ts';

/**
 * Connects the service with another system, in at least one of three ways: it connects to it, receives what it sends,
 * or describes items by it.
 *
 * The operator names it in a setting, which gives the options. The first function of a member gets them once, after the
 * plugins are set up, and may refuse them with a throw.
 */
export interface Integration<O extends TSchema = TSchema> {
  /** One sentence, shown in the list of plugins. */
  summary: string;
  /**
   * TypeBox schema of the options: an object of texts, numbers, booleans and lists of these, without `secret`.
   *
   * Texts of options are left out of errors and warnings, but for those with `is_secret: false` in their schema.
   *
   * The option `url`, if there is one, should replace the public endpoint. With `describe`, each option needs a default;
   * `url`, `key_header` and `key` are then taken from the service's metadata settings.
   */
  options: O;
  /**
   * A connector: reads a source and emits what it finds as records. Configured with `--connect`, which gives the options
   * as a query string.
   *
   * It runs until the source ends or `host.signal` is aborted. When it rejects, the host waits and starts it again from
   * the stored cursor, so it needs no retries of its own. A connector of tables reads its file of maps with `tools`.
   * @example connect: ({ url }) => async (host) => { … await host.emit(records, cursor); }
   */
  connect?(options: Static<O>, tools: ConnectTools): (host: ConnectorHost) => Promise<void>;
  /**
   * A connector is started again if nothing was emitted for this time. Default 300.
   *
   * That is a failure if the run has neither emitted anything nor reached its source by `fetchBounded` or `openSocket`.
   * A source with long pauses must emit its cursor without records meanwhile.
   * @example silence_seconds: 3600
   */
  silence_seconds?: number;
  /**
   * A webhook: maps the JSON of one delivery to `POST /v2/community/hooks/<name>` to records, an empty list if there is
   * nothing to store. Configured with `--webhook`, which gives the secret and the options as a query string.
   *
   * The host verifies the signature, stores the records in their order, and answers when they are durable. Senders repeat
   * deliveries, so acts need a `timestamp` or an `event_id`. Invalid records are skipped, logged and named in the answer.
   * A throw answers 400 with the message of the error.
   * @example receive: () => (delivery) => recordsOf(delivery)
   */
  receive?(options: Static<O>): (delivery: unknown) => readonly ConnectorRecord[];
  /**
   * How deliveries to a webhook are signed. Required with `receive`.
   * @example signature: { header: 'X-Forum-Signature', algorithm: 'sha256', encoding: 'hex' }
   */
  signature?: WebhookSignature;
  /**
   * A metadata provider: names, images and prices of tokens and NFTs for the alpha API. Named by
   * `FEEDLOOM_METADATA_PROVIDER`.
   *
   * It is called for the items of a page after the page was built. It may use the network, but the page waits only for a
   * short time. It resolves to one entry per identifier (`<chain>.<contract>` or `<chain>.<contract>.<token_id>`), in the
   * same order: `{}` is an unknown item, and an `Error` one that cannot be described, which is logged, and requested again
   * after growing pauses. Reject only if the source gave no answer for any of them (timeout, connection, 5xx, 429): none
   * of them has metadata then, and repeated failures suspend the calls.
   * @example describe: () => async (item_ids) => item_ids.map((id) => KNOWN.get(id) ?? {})
   */
  describe?(options: Static<O>): (item_ids: readonly string[]) => Promise<(Metadata | Error)[]>;
}

/** The members of an integration, each with its name in words. */
export const INTEGRATION_MEMBERS = {
  connect: 'connector',
  receive: 'webhook',
  describe: 'metadata provider',
} as const;

export type IntegrationMember = keyof typeof INTEGRATION_MEMBERS;
