import type { ClusterNode } from '../../cluster/node.ts';
import { ServiceError } from '../../errors.ts';
import type { Service } from '../../service.ts';
import type { Host } from '../transport/host.ts';
import type { KeylessKind } from '../transport/request-bounds.ts';
import type { KeyRule, Principal } from './auth.ts';

/** What is known of an admitted request: the service, unless it may still load. */
export type Admitted = Partial<Keyless>;

/**
 * Who may send the requests of a route.
 * @template I the identity that handlers get: the service, and who sends the request
 */
export interface Admission<I extends Admitted> {
  /** What a key must allow. Undefined: no key is needed. */
  key?: KeyRule;
  /**
   * @param params texts in the path
   * @throws ServiceError `loading`, `shutting_down`, `overloaded`; `unauthorized`, `forbidden`, `rate_limited`
   */
  admit(host: Host, request: Request, params: Readonly<Record<string, string>>): I | Promise<I>;
}

/** The service, and the account and rights of the key. */
export interface Keyed {
  service: Service;
  principal: Principal;
}

export interface Keyless {
  service: Service;
}

function keyed(key: KeyRule): Admission<Keyed> & { key: KeyRule } {
  return {
    key,
    admit: (host, request) => ({ principal: host.admit(request, key), service: host.service }),
  };
}

/** Any key is accepted. */
export const ANY_KEY = keyed({});
export const FEEDS = keyed({ scope: 'feed:read', viewer_tokens: true });
export const TOKENS = keyed({ scope: 'feed:read' });
export const CONFIGS = keyed({ scope: 'config:write' });
export const INGEST = keyed({ scope: 'ingest:write' });
export const CHANGES_PREFERENCES = keyed({ scope: 'ingest:write', viewer_tokens: 'preferences' });
/** One of these scopes is enough. */
export const MODERATORS = keyed({ scope: ['ingest:write', 'config:write'] });
/** For apps that show similar items, and for those that send them. One of these scopes is enough. */
export const SIMILAR_ITEMS = keyed({ scope: ['feed:read', 'ingest:write'], viewer_tokens: true });
/** The token and NFT API has no rate limit. */
export const CATALOG = keyed({ scope: 'ingest:write', limited: false });

/** Requests that need no key. Each kind has a share of the requests under way. */
export function withoutKey(kind: KeylessKind): Admission<Keyless> {
  return { admit: (host, request) => ({ service: host.withoutKey(request, kind) }) };
}

/** Every request is answered, also while the service loads. */
export const ANYONE: Admission<Admitted> = { admit: () => ({}) };

/** Other nodes of the cluster, which know its secret. */
export const NODES: Admission<Keyless & { node: ClusterNode }> = {
  admit(host, request) {
    const service = host.ready();
    // While a node loads its state, it is not known yet as a node.
    const { cluster: node } = service;
    if (node?.to_leader.isPeer(request.headers)) return { service, node };
    throw new ServiceError(
      'unauthorized',
      'only nodes of the cluster are answered here; give all nodes the same FEEDLOOM_CLUSTER_SECRET',
    );
  },
};
