import { folded } from '../../plugin/folded.ts';
import type { Service } from '../../service.ts';
import { scan } from '../records/prefix-scan.ts';

type Groups = Service['state']['groups'];

export interface CommonValue {
  value: string;
  items_count: number;
}

/**
 * Values that items have, those with the most items first. The search is the start of a value, or of its part after the
 * last `/`, without case, in NFKC.
 * @throws ServiceError `overloaded`; the reason of `given_up`
 */
export async function commonValues(
  { postings, size, value }: ValuesOf,
  search: string,
  limit: number,
  given_up: AbortSignal,
): Promise<CommonValue[]> {
  const wanted = folded(search);
  const test = (code: number): boolean => {
    if (postings.length(code) === 0) return false;
    const text = folded(value(code));
    return text.startsWith(wanted) || text.startsWith(wanted, text.lastIndexOf('/') + 1);
  };
  const found: CommonValue[] = [];
  const visit = (code: number): boolean => {
    const items_count = postings.length(code);
    const least = found.length < limit ? 0 : found[found.length - 1].items_count;
    if (items_count <= least) return true;
    const place = found.findIndex((other) => other.items_count < items_count);
    found.splice(place < 0 ? found.length : place, 0, { value: value(code), items_count });
    found.length = Math.min(found.length, limit);
    return true;
  };
  await scan({ size, test }, visit, given_up);
  return found;
}

interface ValuesOf {
  postings: { length(code: number): number };
  size: number;
  value(code: number): string;
}

/** The values of one attribute of items. */
export function valuesOf(groups: Groups, attribute: keyof Groups): ValuesOf {
  const group = groups[attribute];
  return { postings: group.postings, size: group.size, value: (code) => group.value(code) };
}
