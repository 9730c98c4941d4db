import { type Answer, contentOf } from './answer.ts';
import { Credential } from './credential.ts';
import { ConnectionError } from './errors.ts';
import type { Input } from './operations.ts';
import { type ClientOptions, type Settings, settingsFrom } from './options.ts';
import { isRepeatable, withIdentifiers } from './repeatable.ts';
import { isRetried, retryDelay } from './retries.ts';

/** One call that is ready to be sent. */
interface Prepared {
  method: string;
  url: string;
  headers: Headers;
  body?: string;
  signal?: AbortSignal;
  is_repeatable: boolean;
}

/** Sends calls, again if need be, and reads their answers. */
export class Transport {
  private readonly settings: Settings;
  private readonly credential: Credential;

  constructor(options: ClientOptions) {
    this.settings = settingsFrom(options);
    this.credential = new Credential(options);
  }

  /**
   * @param path with placeholders: `/v2/{network}/items/{id}`
   * @throws FeedloomError, ConnectionError; the reason of `input.signal`
   */
  async call(method: string, path: string, input: Input = {}): Promise<unknown> {
    const prepared = this.prepare(method, path, input);
    for (let attempt = 1; ; attempt++) {
      try {
        return contentOf(await this.authorised(prepared));
      } catch (error) {
        const is_last = attempt >= this.settings.attempts_max;
        if (is_last || !isRetried(error, prepared.is_repeatable)) throw error;
        const delay_ms = retryDelay(error, attempt, this.settings.random());
        await this.settings.sleep(delay_ms, prepared.signal);
      }
    }
  }

  private prepare(method: string, path: string, input: Input): Prepared {
    const { address, network, chain } = this.settings;
    const filled = fill(path, { ...input.path, network, chain });
    const query = new URLSearchParams(entriesOf(input.query));
    const headers = new Headers(entriesOf(input.headers));
    const body = withIdentifiers(path, input.body, this.credential.is_of_viewer);
    if (body !== undefined) headers.set('content-type', 'application/json');
    return {
      method,
      url: `${address}${filled}${query.size > 0 ? `?${query}` : ''}`,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: input.signal,
      is_repeatable: isRepeatable(method, path, input),
    };
  }

  /** The answer with the current credential, or with a new token if the service refuses an old one. */
  private async authorised(prepared: Prepared): Promise<Answer> {
    const credential = await this.credential.current();
    const answer = await this.attempt(prepared, credential);
    if (answer.status !== 401 || !(await this.credential.forget(credential))) return answer;
    return this.attempt(prepared, await this.credential.current());
  }

  private async attempt(prepared: Prepared, credential: string | undefined): Promise<Answer> {
    const { method, url, body, signal: given } = prepared;
    given?.throwIfAborted();
    const headers = new Headers(prepared.headers);
    // `Authorization` stays free for a proxy that asks for a password: browsers answer such proxies by themselves.
    if (credential !== undefined) headers.set('x-api-key', credential);
    const timeout = AbortSignal.timeout(this.settings.timeout_ms);
    const signal = given === undefined ? timeout : AbortSignal.any([given, timeout]);
    // Made outside of the block, as a request that cannot be made is no failure of the connection.
    const request = new Request(url, { method, headers, body, signal });
    try {
      const response = await this.settings.fetch(request);
      const { ok, status } = response;
      return { ok, status, headers: response.headers, text: await response.text() };
    } catch (cause) {
      given?.throwIfAborted();
      const reason = cause instanceof Error ? cause.message : String(cause);
      const why = timeout.aborted ? `no answer within ${this.settings.timeout_ms} ms` : reason;
      throw new ConnectionError(`${method} ${url}: ${why}`, { cause });
    }
  }
}

/** @throws RangeError for a value that cannot travel in a path, TypeError for one that is missing */
function fill(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new TypeError(`path.${name}: is required for ${path}`);
    const text = encodeURIComponent(String(value));
    if (/^\.{0,2}$/.test(text))
      throw new RangeError(
        `path.${name}: '${text}' cannot travel in a path; use the operation with a query instead`,
      );
    return text;
  });
}

function entriesOf(values: Readonly<Record<string, unknown>> = {}): [string, string][] {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, String(value)]);
}
