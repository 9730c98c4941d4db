import type { BoundFilter, BoundRule, BoundScoring } from '../feeds/compiled-feed.ts';
import { isThirdParty } from '../registry/registry.ts';
import type { PageContext } from './page-context.ts';

/** Counts each item that filters and rules test. @throws ServiceError `request_too_costly` */
export function countedItems(
  { page: { budget } }: PageContext,
  filters: readonly BoundFilter[],
  rules: readonly BoundRule[],
): () => void {
  const calls = [...filters, ...rules].filter(({ id }) => isThirdParty(id)).length;
  const on = (): string => {
    const named = filters.length === 0 ? rules : filters;
    const kind = filters.length === 0 ? 'rules' : 'filters';
    return `too many items were looked at for its ${kind} (${named.map(({ id }) => id).join(', ')})`;
  };
  return () => budget.spendOnPlugins(1 + filters.length, calls, on);
}

/** Counts each item that is scored. @throws ServiceError `request_too_costly` */
export function countedScores({ page: { budget } }: PageContext, { id }: BoundScoring): () => void {
  const calls = isThirdParty(id) ? 1 : 0;
  const on = () => `too many items were scored by ${id}`;
  return () => budget.spendOnPlugins(1, calls, on);
}
