import type { Kind } from './kinds.ts';

/** Runs something of an extension's and takes note of it. */
export type Watch = <T>(kind: Kind, id: string, run: () => T) => T;

/** An extension to which belongs what its functions do: it is blamed for their failures, and watched for their time. */
export interface Account {
  id: string;
  /** Runs something on the account; undefined while nobody watches. To be asked once a request, not once an item. */
  watched(): (<T>(run: () => T) => T) | undefined;
}
