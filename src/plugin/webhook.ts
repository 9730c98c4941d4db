import type { Static, TSchema } from '@sinclair/typebox';
import type { ConnectorRecord } from './connector.ts';

export const WEBHOOK_ALGORITHMS = ['sha1', 'sha256', 'sha512'] as const;
export const WEBHOOK_ENCODINGS = ['hex', 'base64'] as const;

/** How a sender signs a delivery: an HMAC of the raw body, with a secret that only the sender and the operator know. */
export interface WebhookSignature {
  /** The header with the signature, such as `X-Hub-Signature-256`. */
  header: string;
  algorithm: (typeof WEBHOOK_ALGORITHMS)[number];
  encoding: (typeof WEBHOOK_ENCODINGS)[number];
  /** Text before the signature in the header, such as `sha256=`. Default none. */
  prefix?: string;
}

/**
 * Maps the deliveries that another service sends to `POST /v2/community/hooks/<name>` to records.
 *
 * The operator configures it with `--webhook`, with the secret and the options as a query string. The host verifies the
 * signature, stores the records in their order, and answers when they are durable.
 */
export interface Webhook<O extends TSchema = TSchema> {
  /** One sentence, shown in the list of plugins. */
  summary: string;
  /** TypeBox schema of the options: an object of texts, numbers, booleans and lists of these, without `secret`. */
  options: O;
  signature: WebhookSignature;
  /**
   * The inner function maps the JSON of one delivery to records, an empty list if there is nothing to store.
   *
   * Senders repeat deliveries, so acts need a `timestamp` or an `event_id`. Invalid records are skipped, logged and
   * named in the answer. A throw answers 400 with the message of the error.
   */
  compile(options: Static<O>): (delivery: unknown) => readonly ConnectorRecord[];
}

/** The rule that a signature breaks; undefined if there is none. */
export function signatureProblem(signature: unknown): string | undefined {
  if (typeof signature !== 'object' || signature === null) return 'must be an object';
  const { header, algorithm, encoding, prefix, ...rest } = signature as Partial<Record<string, unknown>>;
  if (typeof header !== 'string' || !/^[A-Za-z0-9-]{1,100}$/.test(header))
    return 'needs a header of letters, digits and -';
  if (!WEBHOOK_ALGORITHMS.some((each) => each === algorithm))
    return `needs an algorithm: ${WEBHOOK_ALGORITHMS.join(', ')}`;
  if (!WEBHOOK_ENCODINGS.some((each) => each === encoding))
    return `needs an encoding: ${WEBHOOK_ENCODINGS.join(', ')}`;
  if (prefix !== undefined && typeof prefix !== 'string') return 'needs a text as prefix';
  const [unknown] = Object.keys(rest);
  return unknown === undefined ? undefined : `has '${unknown}', which is unknown`;
}
