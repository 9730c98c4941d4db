/**
 * Dense index of a user or an item in memory, from 0. Ordinals mean something only within one request:
 * never store one.
 */
export type Ordinal = number;

/** "No such user, item or value": what every function that returns an ordinal or code may return. */
export const NONE = -1;
