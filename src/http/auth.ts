import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Clock, Seconds } from '../clock.ts';
import { rootReasonOf, ServiceError } from '../errors.ts';
import { hashKey, SCOPES, type Scope } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import { KeyUses } from './key-uses.ts';
import type { RateLimiter } from './rate-limit.ts';
import { isViewerToken, TokenSigner } from './viewer-tokens.ts';

/** Who sends a request: an account, and what its key allows. */
export interface Principal {
  account: string;
  scopes: ReadonlySet<Scope>;
  /** Who changes what the request changes, see `Edit`. */
  actor: string;
  /** Of a viewer token: the only user whose feeds it reads. Undefined of a key. */
  viewer?: string;
}

/** A key in memory. */
interface Key extends Principal {
  hash: string;
  /** Null of the key that is given as a setting. */
  key_id: string | null;
  /** seconds; null: it does not expire */
  expires_at: Seconds | null;
}

/** What a request may be authenticated with, and whether that counts. */
export interface Admission {
  /** What the key must allow; absent: any key will do. */
  scope?: Scope;
  /** Whether the request counts against the rate limit of its key, which needs `scope`; default true. */
  limited?: boolean;
  /** Whether viewer tokens are taken, too; default false. */
  viewer_tokens?: boolean;
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
/** How the audit log names that key, which has no id. */
const SETTINGS_KEY = 'FEEDLOOM_API_KEY';

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
  private by_id = new Map<string | null, Key>();
  private signer: TokenSigner | undefined;
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
    this.signer ??= new TokenSigner(await this.store.keys.tokenSecret());
    const keys: Key[] = (await this.store.keys.all()).map((key) => ({
      ...key,
      scopes: new Set(key.scopes),
      actor: key.key_id,
    }));
    // Another asked later, and was answered first.
    if (revision <= this.revision) return;
    const { api_key } = this.options;
    if (api_key !== undefined) {
      const all = {
        account: DEFAULT_ACCOUNT,
        scopes: new Set(SCOPES),
        key_id: null,
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
   * Checks the key or viewer token of a request. Counts as a use of the key, also when it lacks the scope.
   * @throws ServiceError `unauthorized`, `forbidden`, `rate_limited`
   */
  authenticate(
    headers: Headers,
    { scope, limited = true, viewer_tokens = false }: Admission = {},
  ): Principal {
    const { key, viewer } = this.sender(sentBy(headers));
    if (this.isOver(key.expires_at)) throw expired('the key', key.expires_at);
    if (key.key_id !== null) this.uses.note(key.key_id);
    if (viewer !== undefined && !viewer_tokens)
      throw new ServiceError(
        'forbidden',
        'a viewer token only reads the feeds of its viewer; send a key here',
      );
    if (scope === undefined) return key;
    if (!key.scopes.has(scope)) throw new ServiceError('forbidden', `this key lacks the scope ${scope}`);
    if (limited) this.options.limiter?.take(key.hash);
    return viewer === undefined ? key : { ...key, viewer };
  }

  /**
   * A token that reads the feeds of one viewer with the rights of the key of this request. Nothing is stored for it.
   * @param ttl_seconds for how long it is valid
   * @throws ServiceError `unauthorized`, `forbidden`
   */
  viewerToken(headers: Headers, viewer: string, ttl_seconds: number): { token: string; expires_at: Seconds } {
    const { key } = this.sender(sentBy(headers));
    if (this.signer === undefined) throw unknownKey();
    const expires_at = Math.floor(this.options.clock.now()) + ttl_seconds;
    return { token: this.signer.sign({ key_id: key.key_id, viewer, expires_at }, key.hash), expires_at };
  }

  private isOver(expires_at: Seconds | null): expires_at is Seconds {
    return expires_at !== null && this.options.clock.now() >= expires_at;
  }

  /** The key that was sent, or the one that made the token that was. @throws ServiceError `unauthorized` */
  private sender(sent: string): { key: Key; viewer?: string } {
    const remembered = this.hashes.get(sent);
    const known = remembered === undefined ? undefined : this.by_hash.get(remembered);
    if (known !== undefined) return { key: known };
    const candidates = keysOf(sent);
    if (candidates.length === 0) {
      throw new ServiceError(
        'unauthorized',
        'no key was sent; send it as Authorization: Bearer <key>, Authorization: Basic <key> or x-api-key: <key>',
      );
    }
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

  /** @throws ServiceError `unauthorized` */
  private makerOf(token: string): { key: Key; viewer: string } {
    const claims = this.signer?.read(token, (key_id) => this.by_id.get(key_id)?.hash);
    const key = claims && this.by_id.get(claims.key_id);
    if (claims === undefined || key === undefined)
      throw new ServiceError(
        'unauthorized',
        'the viewer token is not valid, or the key that made it has been revoked',
      );
    if (this.isOver(claims.expires_at)) throw expired('the viewer token', claims.expires_at);
    return { key, viewer: claims.viewer };
  }
}

function unknownKey(): ServiceError {
  return new ServiceError('unauthorized', 'the key is not known or has been revoked');
}

function expired(what: string, expires_at: Seconds): ServiceError {
  return new ServiceError('unauthorized', `${what} expired at ${new Date(expires_at * 1000).toISOString()}`);
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
