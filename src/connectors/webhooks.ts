import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { reasonOf, ServiceError, StartupError } from '../errors.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { IngestResult } from '../ingest/outcome.ts';
import { shortened } from '../limited-log.ts';
import { LIMITS } from '../limits.ts';
import {
  type ConnectorRecord,
  EMITTED_RECORDS_MAX,
  type PluginLog,
  type WebhookSignature,
} from '../plugin/index.ts';
import type { Registry } from '../registry/registry.ts';
import { prepared, readEntry, readOptions, requireDistinct } from './connections.ts';

/** A webhook that the operator configured, with its options checked. */
export interface ConfiguredWebhook {
  /** The last part of its path: its label, or else its id without namespace and version. */
  name: string;
  signature: WebhookSignature;
  /** Any of them may sign, so that a secret can be replaced without a gap. */
  secrets: readonly string[];
  /** Makes the function that maps deliveries. Call it once all plugins are set up. @throws StartupError `bad_setting` */
  prepare(): (delivery: unknown) => readonly ConnectorRecord[];
}

const SIGNATURE_BYTES = { sha1: 20, sha256: 32, sha512: 64 } as const;
const SECRETS_MAX = 4;

/**
 * Reads the setting `webhook`: entries such as `neynar?secret=…` or `acme/forum_v1.0.0#forum?secret=…`.
 * @throws StartupError `bad_setting` that names what is wrong and what is allowed, and no secret
 */
export function readWebhooks(entries: readonly string[], registry: Registry): ConfiguredWebhook[] {
  const webhooks = entries.map((entry) => readWebhook(entry, registry));
  requireDistinct(webhooks, bad, () => 'give each a label of its own after a #');
  return webhooks;
}

function readWebhook(entry: string, registry: Registry): ConfiguredWebhook {
  const { given, id, label, query, registered } = readEntry(entry, 'receive', registry, bad);
  const secrets = query.getAll('secret');
  query.delete('secret');
  const is_fit = secrets.length > 0 && secrets.length <= SECRETS_MAX;
  if (
    !is_fit ||
    secrets.some((secret) => secret.length < LIMITS.secret_length_min || secret !== secret.trim())
  )
    throw bad(
      given,
      `needs 1 to ${SECRETS_MAX} options 'secret' of at least ${LIMITS.secret_length_min} characters without blanks and line ends around them, best as secret_env=NAME (their values are not shown)`,
    );
  const options = readOptions(query, registered.options, (reason) => bad(given, reason));
  const { signature, receive } = registered.extension;
  const name = label ?? id.replace(/^.*\//, '').replace(/_v\d+\.\d+\.\d+$/, '');
  return { name, signature, secrets, prepare: () => prepared(given, bad, () => receive(options)) };
}

function bad(name: string, reason: string): StartupError {
  return new StartupError('bad_setting', `--webhook (FEEDLOOM_WEBHOOK): '${name}' ${reason}`);
}

export interface WebhookParts {
  ingest: Pick<Ingest, 'ordered'>;
  clock: Clock;
  /** Makes the logger of one webhook, which limits lines: what they say may come from its sender. */
  logOf(webhook: string): PluginLog;
}

export interface WebhookStatus {
  webhook: string;
  /** Deliveries whose records were stored. */
  deliveries_count: number;
  /** Deliveries without a valid signature. */
  unsigned_count: number;
  /** Signed deliveries that could not be mapped or stored. */
  failed_count: number;
  records_count: number;
  rejected_count: number;
  /** The reason of the last failure, cut, and its time in seconds. */
  last_error: string | null;
  last_error_at: number | null;
  /** When a delivery was last stored. */
  last_stored_at: number | null;
}

/** One configured webhook: verifies deliveries, maps them and stores their records. */
class RunningWebhook {
  private readonly map: (delivery: unknown) => readonly ConnectorRecord[];
  private readonly log: PluginLog;
  private readonly counts = { deliveries: 0, unsigned: 0, failed: 0, records: 0, rejected: 0 };
  private last_error: { reason: string; at: number } | undefined;
  private last_stored_at: number | undefined;

  constructor(
    private readonly webhook: ConfiguredWebhook,
    private readonly parts: WebhookParts,
  ) {
    this.map = webhook.prepare();
    this.log = parts.logOf(webhook.name);
  }

  get status(): WebhookStatus {
    const { counts, last_error, last_stored_at } = this;
    return {
      webhook: this.webhook.name,
      deliveries_count: counts.deliveries,
      unsigned_count: counts.unsigned,
      failed_count: counts.failed,
      records_count: counts.records,
      rejected_count: counts.rejected,
      last_error: last_error?.reason ?? null,
      last_error_at: last_error === undefined ? null : Math.floor(last_error.at),
      last_stored_at: last_stored_at === undefined ? null : Math.floor(last_stored_at),
    };
  }

  /** The header that carries the signature. */
  get header(): string {
    return this.webhook.signature.header;
  }

  /**
   * The signature in the headers of a delivery. Needs no body, so that senders without one cost little.
   * @throws ServiceError `unauthorized`
   */
  signatureIn(headers: Headers): Buffer {
    const { header, algorithm, encoding, prefix = '' } = this.webhook.signature;
    const text = headers.get(header)?.trim() ?? '';
    if (text === '') throw this.unsigned(`the header ${header} is missing`);
    const given = Buffer.from(text.startsWith(prefix) ? text.slice(prefix.length) : '', encoding);
    if (given.length === SIGNATURE_BYTES[algorithm]) return given;
    throw this.unsigned(
      `the header ${header} must be ${prefix}<HMAC-${algorithm.toUpperCase()} in ${encoding}>`,
    );
  }

  /** @throws ServiceError `unauthorized` */
  verify(signature: Buffer, body: Uint8Array): void {
    const { header, algorithm } = this.webhook.signature;
    const is_signed = this.webhook.secrets
      .map((secret) => timingSafeEqual(createHmac(algorithm, secret).update(body).digest(), signature))
      .includes(true);
    if (!is_signed) throw this.unsigned(`the signature in ${header} does not fit the body and the secret`);
  }

  /**
   * Stores the records of a verified delivery. Resolves when they are durable.
   * @throws ServiceError `invalid_value` if it cannot be mapped; errors of ingest
   */
  async take(delivery: unknown): Promise<IngestResult> {
    try {
      const result = await this.store(this.mapped(delivery));
      this.counts.deliveries++;
      this.counts.records += result.accepted;
      this.counts.rejected += result.rejected_count;
      this.last_stored_at = this.parts.clock.now();
      if (result.rejected_count > 0) this.log.warn({ ...result.rejected[0] }, 'invalid records were skipped');
      return result;
    } catch (error) {
      this.counts.failed++;
      this.failed(error instanceof ServiceError ? error.detail : reasonOf(error));
      throw error;
    }
  }

  private mapped(delivery: unknown): readonly ConnectorRecord[] {
    let records: unknown;
    try {
      records = this.map(delivery);
    } catch (error) {
      throw new ServiceError('invalid_value', `the delivery cannot be mapped: ${reasonOf(error)}`);
    }
    if (Array.isArray(records)) return records;
    throw new ServiceError('invalid_value', 'the delivery cannot be mapped: no list of records came of it');
  }

  private async store(records: readonly ConnectorRecord[]): Promise<IngestResult> {
    const total: IngestResult = { accepted: 0, rejected_count: 0, rejected: [], warnings: [] };
    let start = 0;
    const account = `\nwebhook ${this.webhook.name}`;
    for (const batch of batchesOf(records)) {
      const offset = start;
      start += batch.length;
      const { accepted, rejected_count, rejected, warnings } = await this.parts.ingest.ordered(
        batch,
        undefined,
        account,
      );
      total.accepted += accepted;
      total.rejected_count += rejected_count;
      total.rejected.push(...rejected.map(({ index, detail }) => ({ index: index + offset, detail })));
      total.warnings.push(...warnings);
    }
    return total;
  }

  private unsigned(reason: string): ServiceError {
    this.counts.unsigned++;
    return new ServiceError('unauthorized', reason);
  }

  private failed(cause: string): void {
    const reason = shortened(cause);
    this.last_error = { reason, at: this.parts.clock.now() };
    this.log.warn({ cause: reason }, 'a delivery could not be stored');
  }
}

/** Batches that can each be stored at once: not too long, and with nothing else behind an erasure. */
function batchesOf(records: readonly ConnectorRecord[]): ConnectorRecord[][] {
  const batches: ConnectorRecord[][] = [];
  for (const record of records) {
    const last = batches.at(-1);
    const is_full = last === undefined || last.length === EMITTED_RECORDS_MAX;
    if (is_full || last.at(-1)?.kind === 'user_deletion') batches.push([record]);
    else last.push(record);
  }
  return batches;
}

/** All configured webhooks. One instance per service. */
export class Webhooks {
  private readonly running: ReadonlyMap<string, RunningWebhook>;

  constructor(webhooks: readonly ConfiguredWebhook[], parts: WebhookParts) {
    this.running = new Map(webhooks.map((each) => [each.name, new RunningWebhook(each, parts)]));
  }

  get(name: string): RunningWebhook {
    const webhook = this.running.get(name);
    if (webhook !== undefined) return webhook;
    throw new ServiceError('not_found', `there is no webhook '${name}'; configure it with --webhook`);
  }

  /** In the order of the setting. */
  get statuses(): WebhookStatus[] {
    return [...this.running.values()].map(({ status }) => status);
  }
}
