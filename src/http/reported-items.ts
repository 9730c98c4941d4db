import type { Service } from '../service.ts';
import { listedItems } from './listed-items.ts';

/** Which part of a list of reported items is asked for. */
interface Part {
  offset: number;
  limit: number;
  /** Whether the dismissed items are listed instead of the open ones. */
  dismissed: boolean;
}

/**
 * `GET /v2/<network>/reports`: items by their current number of hides and reports.
 *
 * The list ends early if the answer would be too large, and names the offset to continue at.
 * @param given_up aborted when the client disconnects
 * @throws ServiceError `store_unavailable`; the reason of `given_up`
 */
export async function reportedItems(
  service: Service,
  { offset, limit, dismissed }: Part,
  given_up: AbortSignal,
): Promise<object> {
  const { items, reports } = service.state;
  const total = dismissed ? reports.dismissed_count : reports.open_count;
  const reported = reports.mostReported(offset, limit, dismissed).map((key) => {
    const item = items.names.ordinal(key);
    return { item, counts: reports.of(item) };
  });
  const listed = await listedItems(
    service,
    reported.map(({ item }) => item),
    given_up,
  );
  const next = offset + listed.length;
  return {
    reports: listed.map(({ item_id, ...entry }, at) => ({ item_id, ...reported[at].counts, ...entry })),
    total,
    next_offset: next < total && listed.length > 0 ? next : null,
  };
}
