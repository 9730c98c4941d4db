/** Which records can be of a table, to take them back when TRUNCATE empties it: the log does not name its rows. */
import type { TableMap } from 'feedloom/plugin';
import type { Options } from './postgres-options.ts';

/** Fields by which the records of tables can be told apart. */
const MAY_LACK = ['channel', 'author_id'];
const TELLING = ['event_type', 'user_id', 'target_user_id', 'item_id', ...MAY_LACK];

/** Whether a record that stands in the service can come from a line of the map. */
export function couldBe(record: Readonly<Record<string, unknown>>, { valuesOf }: TableMap): boolean {
  return TELLING.every((field) => valuesOf(field)?.includes(String(record[field] ?? '')) ?? true);
}

/** Why the maps do not allow `truncate=delete`: two tables of which a record could come from either, one text for each pair. */
export function truncateFaults({ truncate }: Pick<Options, 'truncate'>, maps: readonly TableMap[]): string[] {
  if (truncate !== 'delete') return [];
  return maps.flatMap((map, at) =>
    maps
      .slice(at + 1)
      .filter((other) => other.table !== map.table && !areApart(map, other))
      .map(
        (other) =>
          `truncate=delete: ${map.table} and ${other.table} are both ${map.kind}, and no field tells their records apart; expected different texts, such as event_type='like', for one of ${TELLING.join(', ')}`,
      ),
  );
}

function areApart(one: TableMap, other: TableMap): boolean {
  if (one.kind !== other.kind) return true;
  return TELLING.some((field) => {
    const [texts, others] = [one.valuesOf(field), other.valuesOf(field)];
    if (texts === undefined || others === undefined) return false;
    return !texts.some((text) => others.includes(text) && (text !== '' || MAY_LACK.includes(field)));
  });
}
