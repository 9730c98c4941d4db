import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { type Clock, type Seconds, systemTimers, type Timers } from '../../clock.ts';
import { rootReasonOf, ServiceError } from '../../errors.ts';
import { hashKey, isCreatedKey, type KeyStore, SCOPES, type Scope } from '../../store/keys.ts';
import type { Store } from '../../store/store.ts';
import { KeyUses } from './key-uses.ts';
import type { RateLimiter } from './rate-limit.ts';
import { isViewerToken, type TokenRight, TokenSigner } from './viewer-tokens.ts';

/** The sender of a request: an account, and the rights of its key. */
export interface Principal {
  account: string;
  scopes: ReadonlySet<Scope>;
  /** Name of the sender in the audit log, see `Edit`. */
  actor: string;
  /** The name of its key; null for none. */
  name: string | null;
  /** Seconds since the epoch; null: the key does not expire. */
  expires_at: Seconds | null;
  /** For viewer tokens: the only user whose feeds the token reads. Undefined for keys. */
  viewer?: string;
}

interface Key extends Principal {
  hash: string;
  /** Null for the key from the settings. */
  key_id: string | null;
}

/** The key of a request, and of viewer tokens their viewer and their rights. */
interface Sender {
  key: Key;
  viewer?: string;
  may?: readonly TokenRight[];
}

/** How a request may authenticate. */
export interface KeyRule {
  /** Scope that the key must have; of several, one is enough. Undefined: any key is accepted. */
  scope?: Scope | readonly Scope[];
  /** Whether the request counts against the rate limit of its key. Default true. */
  limited?: boolean;
  /** Whether viewer tokens are accepted too, or only those that have a right. Default false. */
  viewer_tokens?: boolean | TokenRight;
}

export interface KeyRingOptions {
  /** Clock for the expiry of keys. */
  clock: Clock;
  /** Key from the settings. It has every scope of the account `default`. */
  api_key?: string;
  /** Rate limiter per key. Undefined: no limit. */
  limiter?: RateLimiter;
  /** Stores when keys were used. Default: the store does. */
  noteUse?: KeyStore['noteUse'];
  remembered_max?: number;
  /** For the maximum time of `refreshOnce`. Default: those of the machine. */
  timers?: Timers;
}

/** What a key needs that creates tokens with rights. */
const CHANGES: Scope = 'ingest:write';

export const DEFAULT_ACCOUNT = 'default';
/** Name of that key in the audit log. It has no id. */
const SETTINGS_KEY = 'FEEDLOOM_API_KEY';

const KEYS_REMEMBERED_MAX = 1_000;

/** Maximum number of concurrent refreshes, and the number of calls after which a pending refresh is repeated. */
const REFRESHES_MAX = 3;
const CALLS_OF_PATIENCE = 4;

/** Maximum time that a request with an unknown key waits for reads of the store. */
const WAIT_SECONDS = 1;
/** Minimum time between two of these reads, however many such requests there are. */
const CHECK_EVERY_SECONDS = 0.01;

/**
 * The keys of the service, in memory.
 *
 * `refresh` loads keys that other processes created or revoked. The caller runs it at least once a second, and
 * `refreshOnce` before it refuses a request that has an unknown key.
 */
export class KeyRing {
  private by_hash = new Map<string, Key>();
  private by_id = new Map<string | null, Key>();
  private signer: TokenSigner | undefined;
  /** Cache from what requests sent to the hash of the key. It holds known keys only. */
  private readonly hashes: LRUCache<string, string>;
  private revision = -1;
  private refreshing = 0;
  /** Whether the last refresh failed and was logged. */
  private behind = false;
  private calls_since = 0;
  /** Resolves when the next refresh for a request may begin. */
  private last_refresh: Promise<void> = Promise.resolve();
  /** The refresh that begins after it. Undefined if nobody waits for one. */
  private next_refresh: Promise<void> | undefined;

  private readonly uses: KeyUses;
  private readonly timers: Timers;

  constructor(
    private readonly store: Store,
    private readonly options: KeyRingOptions,
  ) {
    this.timers = options.timers ?? systemTimers;
    this.hashes = new LRUCache({ max: options.remembered_max ?? KEYS_REMEMBERED_MAX });
    const { noteUse = (uses) => store.keys.noteUse(uses) } = options;
    this.uses = new KeyUses({ noteUse }, options.clock);
  }

  async refresh(): Promise<void> {
    const revision = await this.store.keys.revision();
    if (revision <= this.revision) return;
    this.signer ??= new TokenSigner(await this.store.keys.tokenSecret());
    const keys: Key[] = (await this.store.keys.all()).map((key) => ({
      ...key,
      scopes: new Set(key.scopes),
      actor: key.key_id,
    }));
    // A refresh that started later has already finished.
    if (revision <= this.revision) return;
    const { api_key } = this.options;
    if (api_key !== undefined) {
      const all = {
        account: DEFAULT_ACCOUNT,
        scopes: new Set(SCOPES),
        key_id: null,
        name: null,
        expires_at: null,
        actor: SETTINGS_KEY,
      };
      keys.push({ ...all, hash: hashKey(api_key) });
    }
    this.by_hash = new Map(keys.map((key) => [key.hash, key]));
    this.by_id = new Map(keys.map((key) => [key.key_id, key]));
    this.hashes.clear();
    this.revision = revision;
  }

  /**
   * Loads changed keys and stores when keys were used. The caller runs it periodically.
   *
   * A failed read is logged once until a read succeeds. While the store does not answer, the read is repeated after some
   * calls: the connection may be dead.
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

  /** Whether a request has a key or viewer token that is not known here. It may have been created a moment ago. */
  hasUnknownKey(headers: Headers): boolean {
    const sent = sentBy(headers);
    if (sent.some((text) => this.hashes.has(text))) return false;
    if (!sent.flatMap(keysOf).some((text) => isCreatedKey(text) || isViewerToken(text))) return false;
    try {
      this.sender(headers);
      return false;
    } catch {
      return true;
    }
  }

  /**
   * Loads the keys that other processes have created up to now. Concurrent calls share a read. Never fails, and waits
   * at most `WAIT_SECONDS`.
   */
  refreshOnce(): Promise<void> {
    // A read that is under way may have begun before the key was created.
    this.next_refresh ??= this.ended(
      this.last_refresh.then(() => {
        this.next_refresh = undefined;
        const read = this.ended(this.refresh());
        const pause = new Promise<void>((resolve) => this.timers.after(CHECK_EVERY_SECONDS, resolve));
        this.last_refresh = read.then(() => pause);
        return read;
      }),
    );
    return this.next_refresh;
  }

  /** Resolves when a read has ended or failed, or when a request has waited long enough for it. */
  private ended(read: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.timers.after(WAIT_SECONDS, resolve);
      const end = (): void => {
        cancel();
        resolve();
      };
      read.then(end, end);
    });
  }

  /** Stores the uses of keys since the last write. Never fails. */
  close(): Promise<void> {
    return this.uses.write();
  }

  get remembered(): number {
    return this.hashes.size;
  }

  /**
   * Checks the key or viewer token of a request. Counts as a use of the key even if the key lacks the scope.
   * @throws ServiceError `unauthorized`, `forbidden`, `rate_limited`
   */
  authenticate(headers: Headers, { scope, limited = true, viewer_tokens = false }: KeyRule = {}): Principal {
    const { key, viewer, may } = this.sender(headers);
    if (this.isOver(key.expires_at)) throw expired('the key', key.expires_at);
    if (key.key_id !== null) this.uses.note(key.key_id);
    if (viewer !== undefined && !viewer_tokens)
      throw new ServiceError(
        'forbidden',
        'a viewer token only reads the feeds of its viewer; send a key here',
      );
    if (viewer !== undefined && typeof viewer_tokens === 'string' && !may?.includes(viewer_tokens))
      throw new ServiceError(
        'forbidden',
        `this viewer token may only read; a token that is created with "may":["${viewer_tokens}"] may change them`,
      );
    const accepted = typeof scope === 'string' ? [scope] : scope;
    if (accepted?.some((name) => key.scopes.has(name)) === false)
      throw new ServiceError('forbidden', `this key lacks the scope ${accepted.join(' or ')}`);
    const limiter = limited ? this.options.limiter : undefined;
    if (viewer === undefined) limiter?.take(key.hash);
    else limiter?.takeForViewer(key.hash, viewer);
    return viewer === undefined ? key : { ...key, viewer };
  }

  /** Whether the headers have a valid key. A viewer token is none. Does not count as a use of the key. */
  holds(headers: Headers): boolean {
    try {
      const { key, viewer } = this.sender(headers);
      return viewer === undefined && !this.isOver(key.expires_at);
    } catch {
      return false;
    }
  }

  /**
   * Counts a request against the rate limit of a caller without a key.
   * @param name identifies the caller
   * @param who the caller in the error text
   * @throws ServiceError `rate_limited`
   */
  limit(name: string, who: string): void {
    this.options.limiter?.take(name, who);
  }

  /**
   * Creates a token that reads one viewer's feeds with the rights of the request's key. Nothing is stored for it.
   * @param ttl_seconds lifetime of the token, seconds
   * @param may what it may change, which the key must be able to change
   * @throws ServiceError `unauthorized`, `forbidden`
   */
  viewerToken(
    headers: Headers,
    viewer: string,
    ttl_seconds: number,
    may: readonly TokenRight[] = [],
  ): { token: string; expires_at: Seconds } {
    const { key } = this.sender(headers);
    if (may.length > 0 && !key.scopes.has(CHANGES))
      throw new ServiceError(
        'forbidden',
        `may: the key of a token that changes something needs the scope ${CHANGES}`,
      );
    if (this.signer === undefined) throw unknownKey();
    const expires_at = Math.floor(this.options.clock.now()) + ttl_seconds;
    return { token: this.signer.sign({ key_id: key.key_id, viewer, expires_at, may }, key.hash), expires_at };
  }

  private isOver(expires_at: Seconds | null): expires_at is Seconds {
    return expires_at !== null && this.options.clock.now() >= expires_at;
  }

  /**
   * Finds the key that was sent, or the key that signed the token. A header whose key is not known does not hide the other
   * one: proxies and browsers use `Authorization` for credentials of their own.
   * @throws ServiceError `unauthorized`
   */
  private sender(headers: Headers): Sender {
    let unknown: UnknownKey | undefined;
    for (const sent of sentBy(headers)) {
      try {
        const sender = this.senderOf(sent);
        if (sender !== undefined) return sender;
      } catch (error) {
        if (!(error instanceof UnknownKey)) throw error;
        unknown ??= error;
      }
    }
    if (unknown !== undefined) throw unknown;
    throw new ServiceError(
      'unauthorized',
      'no key was sent; send it as Authorization: Bearer <key>, Authorization: Basic <key> or x-api-key: <key>',
    );
  }

  /** The sender by one header. Undefined if it holds nothing that could be a key. @throws ServiceError `unauthorized` */
  private senderOf(sent: string): Sender | undefined {
    const remembered = this.hashes.get(sent);
    const known = remembered === undefined ? undefined : this.by_hash.get(remembered);
    if (known !== undefined) return { key: known };
    const candidates = keysOf(sent);
    if (candidates.length === 0) return undefined;
    for (const candidate of candidates) {
      const key = this.by_hash.get(hashKey(candidate));
      if (key === undefined) continue;
      this.hashes.set(sent, key.hash);
      return { key };
    }
    const token = candidates.find(isViewerToken);
    if (token === undefined) throw unknownKey();
    return this.makerOf(token);
  }

  private makerOf(token: string): Sender {
    const claims = this.signer?.read(token, (key_id) => this.by_id.get(key_id)?.hash);
    const key = claims && this.by_id.get(claims.key_id);
    if (claims === undefined || key === undefined)
      throw new UnknownKey('the viewer token is not valid, or the key that made it has been revoked');
    if (this.isOver(claims.expires_at)) throw expired('the viewer token', claims.expires_at);
    return { key, viewer: claims.viewer, may: claims.may };
  }
}

/** What was sent as key or viewer token is none, or none any more. */
export class UnknownKey extends ServiceError {
  constructor(detail: string) {
    super('unauthorized', detail);
  }
}

function unknownKey(): UnknownKey {
  return new UnknownKey('the key is not known or has been revoked');
}

function expired(what: string, expires_at: Seconds): ServiceError {
  return new ServiceError('unauthorized', `${what} expired at ${new Date(expires_at * 1000).toISOString()}`);
}

/** Prefix of a key from its own header. It is not a legal character of a header value, so the two cannot collide. */
const OWN_HEADER = '\n';

/** The headers that may hold a key, in the order to try them. */
function sentBy(headers: Headers): string[] {
  const authorization = headers.get('authorization') ?? '';
  const own = headers.get('x-api-key');
  return own === null ? [authorization] : [authorization, OWN_HEADER + own];
}

/** The keys that these credentials may contain, in the order to try them. */
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
