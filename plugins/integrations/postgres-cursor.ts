/** How far the tables were copied, and up to where the log was read. */

export interface Position {
  /** The log was read up to here: `0/1A2B3C`. */
  lsn: string;
  /** The tables that were copied, each by one line of the map. */
  copied: string[];
  /** The table that is being copied, and the key of its last row. */
  copying?: { id: string; after: string[] };
}

export const hashOf = (text: string): string => Bun.hash(text).toString(36);

export const positionOf = (cursor: string): Position => JSON.parse(cursor) as Position;

export const cursorOf = (position: Position): string => JSON.stringify(position);

/** The number of a position in the log. */
export function numberOf(lsn: string): bigint {
  const [high, low] = lsn.split('/').map((part) => BigInt(`0x${part}`));
  return (high << 32n) | low;
}

export const lsnOf = (number: bigint): string =>
  `${(number >> 32n).toString(16)}/${(number & 0xffff_ffffn).toString(16)}`.toUpperCase();
