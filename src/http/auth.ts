import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Clock, Seconds } from '../clock.ts';
import { rootReasonOf, ServiceError } from '../errors.ts';
import { hashKey, SCOPES, type Scope } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import { KeyUses } from './key-uses.ts';
import type { RateLimiter } from './rate-limit.ts';

/** Who sends a request: an account, and what its key allows. */
export interface Principal {
  account: string;
  scopes: ReadonlySet<Scope>;
}

/** A key in memory. */
interface Key extends Principal {
  /** Undefined of the key that is given as a setting. */
  key_id: string | undefined;
  /** seconds; null: it does not expire */
  expires_at: Seconds | null;
}

export interface KeyRingOptions {
  /** Decides when keys have expired. */
  clock: Clock;
  /** A key with every scope of account `default`, from the settings. */
  api_key?: string;
  /** Limits the requests of each key; absent: no limit. */
  limiter?: RateLimiter;
  remembered_max?: number;
}

/** The account of the key given as a setting. */
const DEFAULT_ACCOUNT = 'default';

/** Keys whose hashes are remembered at most. */
const KEYS_REMEMBERED_MAX = 1_000;

/** How often changes are asked for at the same time, and after how many calls again. */
const REFRESHES_MAX = 3;
const CALLS_OF_PATIENCE = 4;

/**
 * The keys of the service in memory. `refresh` takes up what other processes created or revoked; the
 * caller does so at least once a second.
 */
export class KeyRing {
  private by_hash = new Map<string, Key>();
  /** What requests lately said of their keys with the hashes of these, known ones only. */
  private readonly hashes: LRUCache<string, string>;
  private revision = -1;
  private refreshing = 0;
  /** The last refresh failed, and the log says so. */
  private behind = false;
  private calls_since = 0;

  private readonly uses: KeyUses;

  constructor(
    private readonly store: Store,
    private readonly options: KeyRingOptions,
  ) {
    this.hashes = new LRUCache({ max: options.remembered_max ?? KEYS_REMEMBERED_MAX });
    this.uses = new KeyUses(store.keys, options.clock);
  }

  async refresh(): Promise<void> {
    const revision = await this.store.keys.revision();
    if (revision <= this.revision) return;
    const by_hash = new Map<string, Key>();
    for (const { hash, scopes, ...key } of await this.store.keys.all())
      by_hash.set(hash, { ...key, scopes: new Set(scopes) });
    // Another asked later, and was answered first.
    if (revision <= this.revision) return;
    const { api_key } = this.options;
    if (api_key !== undefined) {
      const all = { account: DEFAULT_ACCOUNT, scopes: new Set(SCOPES), key_id: undefined, expires_at: null };
      by_hash.set(hashKey(api_key), all);
    }
    this.by_hash = by_hash;
    this.hashes.clear();
    this.revision = revision;
  }

  /**
   * Reads changed keys and stores when keys were used; to be called again and again. A failure to read is logged once until
   * it succeeds. While an answer of the store is missing, it is asked again after some calls: a connection may be dead.
   */
  keepUp(log: Pick<Logger, 'error'>): void {
    void this.uses.writeWhenDue();
    this.calls_since++;
    if (this.refreshing === REFRESHES_MAX || (this.refreshing > 0 && this.calls_since < CALLS_OF_PATIENCE))
      return;
    this.calls_since = 0;
    this.refreshing++;
    this.refresh()
      .then(
        () => {
          this.behind = false;
        },
        (error: unknown) => {
          if (!this.behind) log.error({ cause: rootReasonOf(error) }, 'keys could not be refreshed');
          this.behind = true;
        },
      )
      .finally(() => this.refreshing--);
  }

  /** Stores when keys were used since the last time. Never fails. */
  close(): Promise<void> {
    return this.uses.write();
  }

  /** How many keys are remembered as they were sent. */
  get remembered(): number {
    return this.hashes.size;
  }

  /**
   * Who sends this request; with `scope`, they must have it, and the key's rate is limited, unless it is not `limited`.
   * @throws ServiceError `unauthorized`, `forbidden`, `rate_limited`
   */
  authenticate(headers: Headers, scope?: Scope, limited = true): Principal {
    const sent = sentBy(headers);
    const hash = this.hashes.get(sent) ?? this.hashOf(sent);
    const key = this.by_hash.get(hash);
    if (key === undefined) throw unknownKey();
    const { key_id, expires_at } = key;
    if (expires_at !== null && this.options.clock.now() >= expires_at) throw expired(expires_at);
    if (key_id !== undefined) this.uses.note(key_id);
    if (scope === undefined) return key;
    if (!key.scopes.has(scope)) throw new ServiceError('forbidden', `this key lacks the scope ${scope}`);
    if (limited) this.options.limiter?.take(hash);
    return key;
  }

  /** The hash of the first known key among those that may be meant, remembered. @throws ServiceError `unauthorized` */
  private hashOf(sent: string): string {
    const candidates = keysOf(sent);
    if (candidates.length === 0) {
      throw new ServiceError(
        'unauthorized',
        'no key was sent; send it as Authorization: Bearer <key>, Authorization: Basic <key> or x-api-key: <key>',
      );
    }
    const hash = candidates.map(hashKey).find((candidate) => this.by_hash.has(candidate));
    if (hash === undefined) throw unknownKey();
    this.hashes.set(sent, hash);
    return hash;
  }
}

function unknownKey(): ServiceError {
  return new ServiceError('unauthorized', 'the key is not known or has been revoked');
}

function expired(expires_at: Seconds): ServiceError {
  return new ServiceError('unauthorized', `the key expired at ${new Date(expires_at * 1000).toISOString()}`);
}

/** Before a key that came in a header of its own: no value of a header holds it. */
const OWN_HEADER = '\n';

/** What a request says of its key: the value of `Authorization`, else `OWN_HEADER` and that of `x-api-key`. */
function sentBy(headers: Headers): string {
  const authorization = headers.get('authorization') ?? '';
  if (authorization.trim() !== '') return authorization;
  return OWN_HEADER + (headers.get('x-api-key') ?? '');
}

/** The keys that this may mean, in the order in which they are tried. */
function keysOf(sent: string): string[] {
  if (sent.startsWith(OWN_HEADER)) {
    const key = sent.slice(OWN_HEADER.length).trim();
    return key === '' ? [] : [key];
  }
  const [scheme, ...rest] = sent.trim().split(/\s+/);
  const key = rest.join(' ');
  if (key === '') return [];
  if (scheme.toLowerCase() === 'bearer') return [key];
  if (scheme.toLowerCase() !== 'basic') return [];
  const decoded = Buffer.from(key, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  const password = colon < 0 ? '' : decoded.slice(colon + 1);
  return password === '' ? [key] : [key, password];
}
