import { useMemo } from 'preact/hooks';
import type { ViewerInsight } from '../../../../../openapi/client/src/index.ts';
import { ItemLines } from './item-lines.tsx';

export function Seen({ insight: { impressions, shown_items } }: { insight: ViewerInsight }) {
  const lines = useMemo(
    () => impressions.map(({ item_id, timestamp }) => ({ item_id, at: timestamp })),
    [impressions],
  );
  return (
    <section aria-label="What they saw">
      <h2>What they saw</h2>
      {lines.length === 0 ? (
        <p class="help">
          {shown_items === 0 ? 'Nothing was recorded as shown to this viewer.' : 'Nothing was shown lately.'}
        </p>
      ) : (
        <ItemLines lines={lines} />
      )}
      {shown_items > lines.length && (
        <p class="help">{shown_items.toLocaleString('en')} posts in all. The export has all of them.</p>
      )}
    </section>
  );
}
