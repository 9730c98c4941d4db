import { DidHosts, systemNetwork } from '../../bluesky/did-hosts.ts';
import { type Generator, type GeneratorSettings, generatorOf } from '../../bluesky/generator.ts';
import { SigningKeys } from '../../bluesky/signing-keys.ts';
import { ViewerTokens } from '../../bluesky/viewer-tokens.ts';
import { ServiceError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { NONE } from '../../model/key.ts';
import { RateLimiter } from '../identity/rate-limit.ts';
import { SharedUse } from '../identity/shared-use.ts';
import type { Host } from '../transport/host.ts';
import { urlOf } from '../transport/request-url.ts';

/** The method of XRPC that stores something. */
export const SEND_INTERACTIONS = 'app.bsky.feed.sendInteractions';

export interface BlueskySettings extends GeneratorSettings {
  plc_url: string;
}

/** Knows as which feed generator a request is sent to this service, and on behalf of whom. */
export class BlueskyCallers {
  private readonly tokens: ViewerTokens;
  private readonly reports_of_one: RateLimiter;
  private readonly reports_of_all: RateLimiter;
  private readonly stored = new SharedUse(LIMITS.bluesky_viewer_use_seconds);

  constructor(
    private readonly host: Host,
    private readonly settings: BlueskySettings,
  ) {
    const { timers, monotonic: monotonicMs, token_clock: clock } = host;
    const hosts = new DidHosts({ plc_url: settings.plc_url, network: systemNetwork, timers });
    const isUser = (did: string) => host.service.state.users.names.find(did) !== NONE;
    this.tokens = new ViewerTokens({ clock, keys: new SigningKeys({ hosts, monotonicMs, isUser }) });
    const options = { window_seconds: LIMITS.bluesky_interactions_window_seconds, counted: 'interactions' };
    this.reports_of_one = new RateLimiter(clock, LIMITS.bluesky_viewer_interactions_per_second, options);
    this.reports_of_all = new RateLimiter(clock, LIMITS.bluesky_interactions_per_second, options);
  }

  /** @throws ServiceError `invalid_value` for a host that has no DID */
  generatorFor(request: Request): Generator {
    return generatorOf(this.settings, request.headers.get('host') ?? urlOf(request).host);
  }

  /**
   * @param method the method of XRPC that is called
   * @throws ServiceError `unauthorized`, `rate_limited`, `overloaded`
   */
  async viewerOf(request: Request, method: string): Promise<string | undefined> {
    const { did: audience } = this.generatorFor(request);
    const viewer = await this.tokens.viewerOf(request.headers.get('authorization'), { audience, method });
    if (viewer !== undefined && !this.host.isForwarded(request))
      this.host.keys().limit(`bluesky ${viewer}`, 'this viewer');
    return viewer;
  }

  /** The viewer of a request that needs one. @throws ServiceError as `viewerOf` */
  async requiredViewerOf(request: Request, method: string): Promise<string> {
    const viewer = await this.viewerOf(request, method);
    if (viewer === undefined)
      throw new ServiceError(
        'unauthorized',
        `${method} needs a service token; send it as Authorization: Bearer <token>`,
      );
    return viewer;
  }

  /**
   * Counts a report against the limit of its viewer. The node that stores it counts it.
   * @throws ServiceError `rate_limited`
   */
  count(viewer: string, interactions: number): void {
    this.reports_of_one.take(viewer, 'this viewer', Math.max(1, interactions));
  }

  /**
   * Counts interactions that are stored against the limit of all viewers. Each may use as much of it as it leaves free.
   * @throws ServiceError `rate_limited`
   */
  countStored(viewer: string, interactions: number): void {
    const now = this.host.token_clock.now();
    const spare = this.stored.spareFor(viewer, interactions, now);
    this.reports_of_all.take('', 'all viewers together', interactions, spare);
    this.stored.add(viewer, interactions, now);
  }
}
