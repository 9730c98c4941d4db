import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import type { Timers } from '../clock.ts';
import { parseLongJson } from '../plugin/json-long.ts';
import { type OpenOptions, openAnswer, readBounded } from '../plugin/outgoing.ts';
import { isPlcDid, publicWebHost } from './did.ts';

/** Reaches hosts of DID documents. Tests replace it. */
export interface DidNetwork {
  /** The IP addresses of a host. */
  addressesOf(host: string): Promise<string[]>;
  open(url: string, init: OpenOptions): Promise<Response>;
}

export const systemNetwork: DidNetwork = {
  addressesOf: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  open: openAnswer,
};

/** A document that is not there. Other errors may pass. */
export class NoSuchDocument extends Error {}

/** Limits of one request for a document, including the lookup of its host. */
const TIMEOUT_SECONDS = 2;
const DOCUMENT_BYTES_MAX = 64 * 1024;
/** Maximum number of name lookups under way. A lookup goes on after its request has timed out. */
const LOOKUPS_MAX = 32;

const NOT_FOUND = new Set([404, 410]);

interface Options {
  /** Address of the directory of did:plc, without a slash at its end. */
  plc_url: string;
  network: DidNetwork;
  timers: Timers;
}

/**
 * Reads DID documents from the directory of did:plc and from the hosts of did:web.
 *
 * Anybody can name a DID, so hosts of did:web are untrusted: see `bluesky-2`.
 */
export class DidHosts {
  private lookups = 0;

  constructor(private readonly options: Options) {}

  /**
   * The document of a DID.
   * @throws NoSuchDocument; other errors for hosts that are slow, unreachable or answer badly
   */
  async document(did: string): Promise<unknown> {
    const aborting = new AbortController();
    const late = Promise.withResolvers<never>();
    const cancel = this.options.timers.after(TIMEOUT_SECONDS, () => {
      const error = new Error(`no answer within ${TIMEOUT_SECONDS} seconds`);
      aborting.abort(error);
      late.reject(error);
    });
    try {
      // A lookup cannot be aborted, so its result is abandoned.
      return await Promise.race([this.read(did, aborting.signal), late.promise]);
    } finally {
      cancel();
      aborting.abort();
    }
  }

  private async read(did: string, signal: AbortSignal): Promise<unknown> {
    const { plc_url, network } = this.options;
    const init = { signal, headers: { accept: 'application/did+ld+json, application/json' } };
    if (isPlcDid(did)) return documentIn(await network.open(`${plc_url}/${did}`, init));
    const host = publicWebHost(did);
    if (host === undefined) throw new NoSuchDocument('not a public host');
    const address = await this.publicAddress(host);
    signal.throwIfAborted();
    // The checked address is connected to, so the name cannot resolve to another one meanwhile.
    const response = await network.open(`https://${address}/.well-known/did.json`, {
      ...init,
      headers: { ...init.headers, host },
      tls: { serverName: host },
    });
    return documentIn(response);
  }

  /** An address of a host, as a URL contains it. @throws if the host has an address that is not public */
  private async publicAddress(host: string): Promise<string> {
    if (this.lookups >= LOOKUPS_MAX) throw new Error('too many lookups are under way');
    this.lookups++;
    const addresses = await this.options.network.addressesOf(host).finally(() => this.lookups--);
    const [first] = addresses;
    if (first === undefined || !addresses.every(isPublic)) throw new NoSuchDocument('not a public address');
    return first.includes(':') ? `[${first}]` : first;
  }
}

/** All public addresses of IPv6. Those outside may lead into a private network, such as `::7f00:1`. */
const PUBLIC_IPV6 = ipaddr.parseCIDR('2000::/3');

function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(PUBLIC_IPV6));
}

/** @throws NoSuchDocument for 404 and 410; Error for other answers, and for answers that are too large or not JSON */
async function documentIn(response: Response): Promise<unknown> {
  const { status, body } = response;
  if (status !== 200) {
    await body?.cancel();
    throw NOT_FOUND.has(status) ? new NoSuchDocument('not found') : new Error(`the host answered ${status}`);
  }
  return parseLongJson(new TextDecoder().decode(await readBounded(response, DOCUMENT_BYTES_MAX)));
}
