import type { ClientOptions } from './options.ts';

/** The key or the viewer token that calls are sent with. */
export class Credential {
  /** Whether it stands for one viewer. */
  readonly is_of_viewer: boolean;
  private readonly fixed?: string;
  private readonly fetchToken?: () => string | Promise<string>;
  private fetched?: Promise<string>;

  /** @throws TypeError if both are given */
  constructor({ key, token }: Pick<ClientOptions, 'key' | 'token'>) {
    if (key !== undefined && token !== undefined)
      throw new TypeError('key and token: give one of them, a call is sent with one credential');
    this.is_of_viewer = token !== undefined;
    if (typeof token === 'function') this.fetchToken = token;
    else this.fixed = key ?? token;
  }

  /** Undefined if there is none. Rejects with what the function threw that fetches tokens. */
  async current(): Promise<string | undefined> {
    const { fetchToken } = this;
    if (fetchToken === undefined) return this.fixed;
    // Calls at the same time share one token.
    this.fetched ??= Promise.resolve().then(fetchToken);
    try {
      return await this.fetched;
    } catch (error) {
      this.fetched = undefined;
      throw error;
    }
  }

  /** Forgets a token that the service refused. @returns whether another one can be fetched */
  async forget(refused: string | undefined): Promise<boolean> {
    if (this.fetchToken === undefined) return false;
    // Another call may have fetched a new one already.
    if ((await this.fetched) === refused) this.fetched = undefined;
    return true;
  }
}
