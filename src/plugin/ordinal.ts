/** Dense index of a user or item in memory, from 0. Valid within one request only, so never store one. */
export type Ordinal = number;

/** "No such user, item or value". Every function that returns an ordinal or code may return it. */
export const NONE = -1;
