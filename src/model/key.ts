import { NONE } from '../plugin/ordinal.ts';

/** "None": an unknown key or ordinal, or a counter that was not sent. */
export { NONE };

/** The integer by which the store knows a user or item. Users and items count separately, from 0. Never reused. */
export type Key = number;

/** What keys and names are of, in the order of the stored codes. Append only. */
export const SPACES = ['user', 'item'] as const;
export type Space = (typeof SPACES)[number];
