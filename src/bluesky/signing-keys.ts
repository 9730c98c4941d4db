import { LRUCache } from 'lru-cache';
import { ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { TokenBucket } from '../token-bucket.ts';
import { isPlcDid } from './did.ts';
import { signingKeyOf } from './did-document.ts';
import { type DidHosts, NoSuchDocument } from './did-hosts.ts';
import { refused } from './token.ts';

/** Maximum number of cached DIDs with a verified signature, and of others: a few hundred bytes each. */
const DIDS_MAX = 20_000;

const KEY_MS = 10 * 60_000;
/** How long a DID without a key is cached, and how long a failed request for a document. Any host may fail on purpose. */
const NO_KEY_MS = 60_000;
const FAILURE_MS = { plc: 5_000, web: 60_000 };
/** A cached key that is younger is not fetched again when a signature does not match it. */
const REFETCH_AFTER_MS = 30_000;

/**
 * Maximum number of documents under way: of did:plc, of users of the community, of accounts with a verified signature,
 * and of did:web.
 *
 * They are counted apart: anybody can run slow hosts of did:web, and send forged tokens of invented accounts. A forged
 * token of a user of the community costs one document of that user, which then is cached.
 */
const REQUESTS_MAX = { plc: 64, user_plc: 64, verified_plc: 64, web: 16 };

/** Documents that are read per minute because of tokens that may be forged. */
const PER_MINUTE = {
  plc: LIMITS.bluesky_plc_documents_per_minute,
  user_plc: LIMITS.bluesky_plc_documents_per_minute,
  web: LIMITS.bluesky_web_documents_per_minute,
};

type Unverified = keyof typeof PER_MINUTE;

const methodOf = (did: string): 'plc' | 'web' => (isPlcDid(did) ? 'plc' : 'web');

interface Entry {
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
  /** Whether the community has this user. */
  isUser(did: string): boolean;
}

/** The signing keys of accounts, read from their DID documents and cached. */
export class SigningKeys {
  /** DIDs with a verified signature. Forged tokens cannot evict them, because they only add to `others`. */
  private readonly verified = new LRUCache<string, Entry>({ max: DIDS_MAX });
  private readonly others = new LRUCache<string, Entry>({ max: DIDS_MAX });
  /** Concurrent requests for one DID share one request for its document. */
  private readonly under_way = new Map<string, Promise<Entry>>();
  private readonly counts = { plc: 0, user_plc: 0, verified_plc: 0, web: 0 };
  private readonly unverified = {
    plc: new TokenBucket(),
    user_plc: new TokenBucket(),
    web: new TokenBucket(),
  };

  constructor(private readonly options: Options) {}

  /**
   * The key of a DID, as a `did:key`.
   * @throws ServiceError `unauthorized` if it has none or it cannot be read; `overloaded`
   */
  async keyOf(did: string): Promise<string> {
    const known = this.cached(did);
    if (known !== undefined && !this.isOld(did, known)) return keyIn(known);
    return keyIn(await this.fetched(did, this.verified.has(did) ? undefined : this.unverifiedKind(did)));
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
    const key = keyIn(await this.fetched(did, methodOf(did)));
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

  private isOld(did: string, { key, reason, at_ms }: Entry): boolean {
    const kept_ms = key !== undefined ? KEY_MS : reason === FAILED ? FAILURE_MS[methodOf(did)] : NO_KEY_MS;
    return this.options.monotonicMs() - at_ms >= kept_ms;
  }

  /** @param unverified what the document counts as, if only a token that may be forged is the reason */
  private fetched(did: string, unverified: Unverified | undefined): Promise<Entry> {
    const shared = this.under_way.get(did);
    if (shared !== undefined) return shared;
    const method = methodOf(did);
    const kind = method === 'plc' && this.verified.has(did) ? 'verified_plc' : (unverified ?? method);
    if (this.counts[kind] >= REQUESTS_MAX[kind]) return Promise.reject(busy(1));
    const wait_seconds = unverified === undefined ? 0 : this.waitFor(unverified);
    if (wait_seconds > 0) return Promise.reject(busy(Math.ceil(wait_seconds)));
    this.counts[kind]++;
    const fetching = this.refresh(did).finally(() => {
      this.counts[kind]--;
      this.under_way.delete(did);
    });
    this.under_way.set(did, fetching);
    return fetching;
  }

  private unverifiedKind(did: string): Unverified {
    const method = methodOf(did);
    return method === 'plc' && this.options.isUser(did) ? 'user_plc' : method;
  }

  /** Seconds until a document of an unverified account may be read; 0 if it may be now, and then it is counted. */
  private waitFor(kind: Unverified): number {
    const per_minute = PER_MINUTE[kind];
    return this.unverified[kind].take(this.options.monotonicMs() / 1000, per_minute / 60, per_minute);
  }

  private async refresh(did: string): Promise<Entry> {
    const { key, reason } = await this.read(did);
    const now_ms = this.options.monotonicMs();
    const former = this.cached(did);
    if (reason === FAILED && former?.key !== undefined && !this.isOld(did, former)) {
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

function busy(retry_seconds: number): ServiceError {
  const detail = 'too many documents of DIDs are being read; try again in a moment';
  return new ServiceError('overloaded', detail, undefined, retry_seconds);
}
