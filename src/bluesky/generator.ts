import { invalidValue, ServiceError } from '../errors.ts';
import { isDid } from './did.ts';

/** The identity of this service as a Bluesky feed generator. */
export interface Generator {
  /** DID of the service, the audience of tokens. */
  did: string;
  /** DID of the account that publishes the feeds, which is the authority of their URIs. */
  publisher_did: string;
}

export interface GeneratorSettings {
  /** Undefined: `did:web` with the host of the request. */
  bluesky_did?: string | undefined;
  /** Undefined: the same as the service. */
  bluesky_publisher_did?: string | undefined;
}

const HOST = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?(:[1-9]\d{0,4})?$/;
const WEB = /^did:web:([A-Za-z0-9.-]+)(?:%3[Aa](\d+))?$/;
const FEED_URI = /^at:\/\/([^/]+)\/app\.bsky\.feed\.generator\/([^/]+)$/;
const POST_URI = /^at:\/\/([^/]+)\/app\.bsky\.feed\.post\/([A-Za-z0-9._:~-]{1,512})$/;

/**
 * @param host the `Host` header
 * @throws ServiceError `invalid_value` if there is no DID in the settings, and the host gives none
 */
export function generatorOf(
  { bluesky_did, bluesky_publisher_did }: GeneratorSettings,
  host: string,
): Generator {
  const did = bluesky_did ?? didOfHost(host);
  return { did, publisher_did: bluesky_publisher_did ?? did };
}

function didOfHost(host: string): string {
  const name = host.toLowerCase();
  if (HOST.test(name)) return `did:web:${name.replace(':', '%3A')}`;
  const message =
    'the Host header must be a host name, with or without a port, unless FEEDLOOM_BLUESKY_DID is set';
  throw invalidValue([{ path: 'Host', message }]);
}

/**
 * The DID document of the service.
 * @throws ServiceError `not_found` if the document of its DID is elsewhere
 */
export function didDocumentOf({ did }: Generator) {
  const [, host, port] = WEB.exec(did) ?? [];
  if (host === undefined) {
    const detail = `the DID of this service is ${did}, whose document is not here`;
    throw new ServiceError('not_found', detail);
  }
  const serviceEndpoint = `https://${host}${port === undefined ? '' : `:${port}`}`;
  return {
    '@context': ['https://www.w3.org/ns/did/v1'],
    id: did,
    service: [{ id: '#bsky_fg', type: 'BskyFeedGenerator', serviceEndpoint }],
  };
}

export function feedUriOf({ publisher_did }: Generator, rkey: string): string {
  return `at://${publisher_did}/app.bsky.feed.generator/${rkey}`;
}

/** The record key of a feed of this generator. Undefined for any other text. */
export function recordKeyIn({ publisher_did }: Generator, feed_uri: string): string | undefined {
  const [, authority, rkey] = FEED_URI.exec(feed_uri) ?? [];
  return authority === publisher_did ? rkey : undefined;
}

/** Whether an id is the URI of a post. Other items cannot be shown on Bluesky. */
export function isPostUri(id: string): boolean {
  const [, authority, rkey] = POST_URI.exec(id) ?? [];
  return authority !== undefined && isDid(authority) && rkey !== '.' && rkey !== '..';
}
