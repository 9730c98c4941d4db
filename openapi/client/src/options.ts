import { random, sleep } from './machine.ts';

/** What a client is made with. */
export interface ClientOptions {
  /** Address of the service, with the path prefix of a proxy if there is one: `https://example.com/tools/feedloom`. */
  url: string | URL;
  /** A key. It belongs on servers: in a page or an app it is public. */
  key?: string;
  /** A viewer token, or a function that fetches one. The function is called again when the service refuses its token. */
  token?: string | (() => string | Promise<string>);
  /** The network in the paths. Default `community`, which every service has. */
  network?: string;
  /** `FEEDLOOM_CHAIN` of the service. Default `base`. */
  chain?: string;
  /** How often a call is sent at most, the first time included. Default 5. */
  attempts_max?: number;
  /** Time for one attempt, in milliseconds. Default 60,000. */
  timeout_ms?: number;
  /** Default: the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
  /** Waits before retries. For tests. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** From 0, below 1. Spreads retries. For tests. */
  random?: () => number;
}

export type Settings = Required<Omit<ClientOptions, 'url' | 'key' | 'token'>> & {
  /** Without a slash at the end. */
  address: string;
};

/** @throws TypeError if the address is not one of a service */
export function settingsFrom(options: ClientOptions): Settings {
  const { url, network = 'community', chain = 'base', attempts_max = 5, timeout_ms = 60_000 } = options;
  return {
    address: addressOf(url),
    network,
    chain,
    attempts_max,
    timeout_ms,
    fetch: options.fetch ?? ((request) => globalThis.fetch(request)),
    sleep: options.sleep ?? sleep,
    random: options.random ?? random,
  };
}

function addressOf(url: string | URL): string {
  const text = String(url);
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  const is_service = parsed !== undefined && /^https?:$/.test(parsed.protocol);
  if (
    !is_service ||
    parsed.search !== '' ||
    parsed.hash !== '' ||
    parsed.username !== '' ||
    parsed.password !== ''
  )
    throw new TypeError(
      `url: '${text}' must be an http(s) URL without a query, a fragment, a user and a password`,
    );
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}`;
}
