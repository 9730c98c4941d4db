/** What happened to an item between two pages. Places are counted from 1. */
export type Move =
  | { kind: 'same' }
  | { kind: 'up' | 'down'; by: number; from: number; to: number }
  | { kind: 'new' }
  | { kind: 'gone' };

/** The moves from one page to another, by the identifiers of their items in order. */
export function movesBetween(before: readonly string[], after: readonly string[]): ReadonlyMap<string, Move> {
  const places = new Map(before.map((item_id, index) => [item_id, index + 1]));
  const moves = new Map<string, Move>();
  for (const [index, item_id] of after.entries()) {
    const from = places.get(item_id);
    const to = index + 1;
    if (from === undefined) moves.set(item_id, { kind: 'new' });
    else if (from === to) moves.set(item_id, { kind: 'same' });
    else moves.set(item_id, { kind: from > to ? 'up' : 'down', by: Math.abs(from - to), from, to });
  }
  for (const item_id of before) if (!moves.has(item_id)) moves.set(item_id, { kind: 'gone' });
  return moves;
}

/** All moves in one line. */
export function summaryOf(moves: ReadonlyMap<string, Move>): string {
  const count = (kind: Move['kind']): number =>
    [...moves.values()].filter((move) => move.kind === kind).length;
  const kinds = ['same', 'up', 'down', 'new', 'gone'] as const;
  return kinds.map((kind) => `${count(kind)} ${kind === 'same' ? 'in the same place' : kind}`).join(', ');
}
