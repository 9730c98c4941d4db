import { computed, signal } from '@preact/signals';
import {
  type AnswerOf,
  ConnectionError,
  FeedloomClient,
  FeedloomError,
} from '../../../openapi/client/src/index.ts';

/** Who is signed in. The key is kept for this tab alone, and never enters a URL. */

export type Session = AnswerOf<'GET', '/api/session'>;

export type Scope = Session['scopes'][number];

interface SignedIn {
  key: string;
  session: Session;
}

const STORED_AS = 'feedloom.key';
const CODE = /^#code=([\w-]+)$/;

/** The address of the service: everything before `/console`, so that path prefixes work. */
export const ADDRESS = new URL('.', location.href).href;

/** How a client retries when somebody waits in front of the page. */
const ATTEMPTS_MAX = 2;

const signed_in = signal<SignedIn | undefined>();

/** Undefined while nobody is signed in. */
export const session = computed(() => signed_in.value?.session);

function clientFor(key: string | undefined, session?: Session): FeedloomClient {
  return new FeedloomClient({ url: ADDRESS, key, chain: session?.chain, attempts_max: ATTEMPTS_MAX });
}

const current_client = computed(() => clientFor(signed_in.value?.key, signed_in.value?.session));

/** The client of the signed-in account. */
export function api(): FeedloomClient {
  return current_client.value;
}

/** Whether the key has one of the scopes. */
export function may(...scopes: readonly Scope[]): boolean {
  return scopes.some((scope) => session.value?.scopes.includes(scope));
}

/** @throws FeedloomError for a key that the service does not know, ConnectionError */
export async function signIn(key: string): Promise<void> {
  const answered = await clientFor(key).call('GET', '/api/session');
  sessionStorage.setItem(STORED_AS, key);
  signed_in.value = { key, session: answered };
}

export function signOut(): void {
  sessionStorage.removeItem(STORED_AS);
  signed_in.value = undefined;
}

/**
 * Signs in by the one-time code in the address, which is removed from it, or by the key of this tab.
 * @returns why the code did not work; undefined otherwise
 */
export async function resumeSession(): Promise<string | undefined> {
  const code = CODE.exec(location.hash)?.[1];
  if (code !== undefined) {
    history.replaceState(null, '', location.pathname);
    try {
      const { api_key } = await clientFor(undefined).call('POST', '/api/console/session', { body: { code } });
      await signIn(api_key);
      return undefined;
    } catch (error) {
      return textOf(error);
    }
  }
  const key = sessionStorage.getItem(STORED_AS);
  if (key === null) return undefined;
  try {
    await signIn(key);
  } catch (error) {
    // The key was revoked, or has expired.
    if (error instanceof FeedloomError && error.status === 401) signOut();
    return textOf(error);
  }
  return undefined;
}

/** An error as people read it. */
export function textOf(error: unknown): string {
  if (error instanceof FeedloomError) return error.detail;
  if (error instanceof ConnectionError) return 'The service does not answer.';
  return error instanceof Error ? error.message : String(error);
}
