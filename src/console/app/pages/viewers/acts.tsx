import { useMemo } from 'preact/hooks';
import type { StoredUser } from '../../../../../openapi/client/src/index.ts';
import { ItemLines } from './item-lines.tsx';

const ACTS: Readonly<Record<StoredUser['interactions'][number]['event_type'], string>> = {
  view: 'Viewed',
  like: 'Liked',
  comment: 'Commented',
  share: 'Shared',
  bookmark: 'Saved',
  hide: 'Hid',
  report: 'Reported',
};

export function Acts({ user: { interactions, counts } }: { user: StoredUser }) {
  const lines = useMemo(
    () =>
      interactions.map(({ item_id, event_type, timestamp }) => ({
        item_id,
        at: timestamp,
        act: ACTS[event_type],
      })),
    [interactions],
  );
  return (
    <section aria-label="What they did">
      <h2>What they did</h2>
      {lines.length === 0 ? <p class="help">Nothing so far.</p> : <ItemLines lines={lines} />}
      {lines.length > 0 && lines.length < counts.interactions && (
        <p class="help">The latest {lines.length} interactions. The export has all of them.</p>
      )}
    </section>
  );
}
