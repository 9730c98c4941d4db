import type { Kysely } from 'kysely';
import { metaText, setMetaText } from './meta.ts';
import type { Tables } from './tables.ts';

/** How far a connector has read its source. It is stored in the transaction of the records up to there. */
export interface ConnectorCursor {
  connector: string;
  cursor: string;
}

const nameOf = (connector: string): string => `cursor ${connector}`;

export function connectorCursor(db: Kysely<Tables>, connector: string): Promise<string | undefined> {
  return metaText(db, nameOf(connector));
}

/** Stores cursors in order, so that the last one of each connector remains. */
export async function storeCursors(db: Kysely<Tables>, cursors: readonly ConnectorCursor[]): Promise<void> {
  const latest = new Map(cursors.map(({ connector, cursor }) => [connector, cursor]));
  for (const [connector, cursor] of latest) await setMetaText(db, nameOf(connector), cursor);
}
