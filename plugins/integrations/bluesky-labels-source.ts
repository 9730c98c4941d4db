/** Where labelers are: from a handle to a DID, and from its document to the address of their labels. */
import { fetchBounded } from 'feedloom/plugin';
import { idIn, objectIn, objectsIn, textIn } from './bluesky-records-events.ts';

const REQUEST = { timeout_ms: 10_000, bytes_max: 64 * 1024 };
const SERVICE = '#atproto_labeler';

export interface Directories {
  /** Resolves handles: a service with `com.atproto.identity.resolveHandle`. */
  handles_url: string;
  /** The directory of did:plc. */
  plc_url: string;
}

/** The DID of a labeler. @throws Error if the handle has none */
export async function didOf(
  labeler: string,
  { handles_url }: Directories,
  signal: AbortSignal,
): Promise<string> {
  const given = idIn(labeler);
  if (given !== undefined) return given;
  const url = new URL('/xrpc/com.atproto.identity.resolveHandle', handles_url);
  url.searchParams.set('handle', labeler);
  const did = idIn(objectIn(await jsonOf(url, signal)).did);
  if (did === undefined) throw new Error(`the handle '${labeler}' has no DID`);
  return did;
}

/** The address of the labels of a DID. @throws Error if its document names none */
export async function endpointOf(did: string, { plc_url }: Directories, signal: AbortSignal): Promise<URL> {
  const document = objectIn(await jsonOf(documentUrl(did, plc_url), signal));
  const service = objectsIn(document.service).find(({ id }) => id === SERVICE || id === `${did}${SERVICE}`);
  const endpoint = textIn(service?.serviceEndpoint);
  if (endpoint === undefined || !URL.canParse(endpoint))
    throw new Error(`its DID document has no service '${SERVICE}'`);
  const url = new URL('/xrpc/com.atproto.label.subscribeLabels', endpoint);
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:';
  return url;
}

/** A port is written as `%3A`. `localhost` has no certificate. */
function documentUrl(did: string, plc_url: string): URL {
  const [, method, id] = did.split(':');
  if (method === 'plc') return new URL(`/${did}`, plc_url);
  const host = decodeURIComponent(id);
  if (method !== 'web') throw new Error(`a DID of the method '${method}' has no document here`);
  return new URL(`${/^localhost(:|$)/.test(host) ? 'http' : 'https'}://${host}/.well-known/did.json`);
}

async function jsonOf(url: URL, signal: AbortSignal): Promise<unknown> {
  const answer = await fetchBounded(url, { ...REQUEST, signal });
  if (!answer.ok) throw new Error(`${url.host} answered ${answer.status}`);
  return answer.json();
}
