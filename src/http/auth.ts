import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { rootReasonOf, ServiceError } from '../errors.ts';
import { hashKey, SCOPES, type Scope } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import type { RateLimiter } from './rate-limit.ts';

/** Who sends a request: an account, and what its key allows. */
export interface Principal {
  account: string;
  scopes: ReadonlySet<Scope>;
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
  private by_hash = new Map<string, Principal>();
  /** What requests lately said of their keys with the hashes of these, known ones only. */
  private readonly hashes: LRUCache<string, string>;
  private revision = -1;
  private refreshing = 0;
  /** The last refresh failed, and the log says so. */
  private behind = false;
  private calls_since = 0;

  /**
   * @param api_key a key with every scope of account `default`, from the settings
   * @param limiter of the requests of each key; absent: no limit
   */
  constructor(
    private readonly store: Store,
    private readonly api_key: string | undefined,
    private readonly limiter?: RateLimiter,
    remembered_max: number = KEYS_REMEMBERED_MAX,
  ) {
    this.hashes = new LRUCache({ max: remembered_max });
  }

  async refresh(): Promise<void> {
    const revision = await this.store.keys.revision();
    if (revision <= this.revision) return;
    const by_hash = new Map<string, Principal>();
    for (const { hash, account, scopes } of await this.store.keys.all()) {
      by_hash.set(hash, { account, scopes: new Set(scopes) });
    }
    // Another asked later, and was answered first.
    if (revision <= this.revision) return;
    if (this.api_key !== undefined) {
      by_hash.set(hashKey(this.api_key), { account: DEFAULT_ACCOUNT, scopes: new Set(SCOPES) });
    }
    this.by_hash = by_hash;
    this.hashes.clear();
    this.revision = revision;
  }

  /**
   * Takes up what changed; to be called again and again. The log tells of a failure, once until it succeeds. While the store has not said what changed,
   * it is asked again after some calls: it may be that one connection to it has died in silence.
   */
  keepUp(log: Pick<Logger, 'error'>): void {
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
    const principal = this.by_hash.get(hash);
    if (principal === undefined) throw unknownKey();
    if (scope === undefined) return principal;
    if (!principal.scopes.has(scope))
      throw new ServiceError('forbidden', `this key lacks the scope ${scope}`);
    if (limited) this.limiter?.take(hash);
    return principal;
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
