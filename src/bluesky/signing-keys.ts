import { LRUCache } from 'lru-cache';
import { ServiceError } from '../errors.ts';
import { isPlcDid } from './did.ts';
import { signingKeyOf } from './did-document.ts';
import { type DidHosts, NoSuchDocument } from './did-hosts.ts';
import { refused } from './token.ts';

/** Maximum number of cached DIDs with a verified signature, and of others: a few hundred bytes each. */
const DIDS_MAX = 20_000;

const KEY_MS = 10 * 60_000;
/** How long a DID without a key is cached, and how long a failed request for a document. */
const NO_KEY_MS = 60_000;
const FAILURE_MS = 5_000;
/** A cached key that is younger is not fetched again when a signature does not match it. */
const REFETCH_AFTER_MS = 30_000;

/**
 * Maximum number of documents under way: of did:plc, of did:plc with a verified signature, and of did:web.
 *
 * They are counted apart: anybody can run slow hosts of did:web, and send forged tokens of any did:plc.
 */
const REQUESTS_MAX = { plc: 64, verified_plc: 64, web: 16 };

interface Entry {
  /** Undefined if there is none. */
  key: string | undefined;
  /** Why there is no key; completes "the service token …". */
  reason: string;
  at_ms: number;
  /** When it was last fetched, perhaps without success. */
  tried_ms: number;
}

interface Options {
  hosts: Pick<DidHosts, 'document'>;
  monotonicMs(): number;
}

/** The signing keys of accounts, read from their DID documents and cached. */
export class SigningKeys {
  /** DIDs with a verified signature. Forged tokens cannot evict them, because they only add to `others`. */
  private readonly verified = new LRUCache<string, Entry>({ max: DIDS_MAX });
  private readonly others = new LRUCache<string, Entry>({ max: DIDS_MAX });
  /** Concurrent requests for one DID share one request for its document. */
  private readonly under_way = new Map<string, Promise<Entry>>();
  private readonly counts = { plc: 0, verified_plc: 0, web: 0 };

  constructor(private readonly options: Options) {}

  /**
   * The key of a DID, as a `did:key`.
   * @throws ServiceError `unauthorized` if it has none or it cannot be read; `overloaded`
   */
  async keyOf(did: string): Promise<string> {
    const known = this.cached(did);
    return keyIn(known === undefined || this.isOld(known) ? await this.fetched(did) : known);
  }

  /**
   * The key of a DID, fetched again because a signature does not match the cached one. Undefined if the cached one is
   * too young, or still the same.
   * @throws ServiceError as `keyOf`
   */
  async newerKeyOf(did: string, known_key: string): Promise<string | undefined> {
    const known = this.cached(did);
    if (known !== undefined && this.options.monotonicMs() - known.tried_ms < REFETCH_AFTER_MS)
      return undefined;
    const key = keyIn(await this.fetched(did));
    return key === known_key ? undefined : key;
  }

  /** Notes that a token of this DID was signed with its key. */
  confirm(did: string): void {
    const entry = this.others.get(did);
    if (entry === undefined) return;
    this.others.delete(did);
    this.verified.set(did, entry);
  }

  private cached(did: string): Entry | undefined {
    return this.verified.get(did) ?? this.others.get(did);
  }

  private isOld({ key, reason, at_ms }: Entry): boolean {
    const kept_ms = key !== undefined ? KEY_MS : reason === FAILED ? FAILURE_MS : NO_KEY_MS;
    return this.options.monotonicMs() - at_ms >= kept_ms;
  }

  private fetched(did: string): Promise<Entry> {
    const shared = this.under_way.get(did);
    if (shared !== undefined) return shared;
    const kind = !isPlcDid(did) ? 'web' : this.verified.has(did) ? 'verified_plc' : 'plc';
    if (this.counts[kind] >= REQUESTS_MAX[kind]) return Promise.reject(busy());
    this.counts[kind]++;
    const fetching = this.refresh(did).finally(() => {
      this.counts[kind]--;
      this.under_way.delete(did);
    });
    this.under_way.set(did, fetching);
    return fetching;
  }

  private async refresh(did: string): Promise<Entry> {
    const { key, reason } = await this.read(did);
    const now_ms = this.options.monotonicMs();
    const former = this.cached(did);
    if (reason === FAILED && former?.key !== undefined && !this.isOld(former)) {
      former.tried_ms = now_ms;
      return former;
    }
    const entry = { key, reason, at_ms: now_ms, tried_ms: now_ms };
    (this.verified.has(did) ? this.verified : this.others).set(did, entry);
    return entry;
  }

  private async read(did: string): Promise<Pick<Entry, 'key' | 'reason'>> {
    try {
      return { key: signingKeyOf(did, await this.options.hosts.document(did)), reason: NO_KEY };
    } catch (error) {
      return { key: undefined, reason: error instanceof NoSuchDocument ? NO_KEY : FAILED };
    }
  }
}

const NO_KEY = "is issued by a DID that has no document with the key '#atproto'";
const FAILED = 'is issued by a DID whose document could not be read; try again in a moment';

function keyIn({ key, reason }: Entry): string {
  if (key === undefined) throw refused(reason);
  return key;
}

function busy(): ServiceError {
  const detail = 'too many documents of DIDs are being read; try again in a moment';
  return new ServiceError('overloaded', detail, undefined, 1);
}
