import { useState } from 'preact/hooks';
import { linkTo } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { readItems } from '../../ui/items.ts';
import { storedLine } from '../../ui/post.tsx';
import { useResource } from '../../ui/resource.ts';
import { Ago } from '../../ui/time.tsx';

export interface Line {
  item_id: string;
  /** Seconds since the epoch. */
  at: number;
  act?: string;
}

/** As many texts as are loaded at a time. */
const SHOWN = 12;

/** Items in one line each, with the beginning of their text. */
export function ItemLines({ lines }: { lines: readonly Line[] }) {
  const [shown, setShown] = useState(SHOWN);
  const visible = lines.slice(0, shown);
  const items = useResource(
    (signal) =>
      readItems(
        visible.map(({ item_id }) => item_id),
        signal,
      ),
    [lines, shown],
  );
  return (
    <>
      <ol class="item-lines">
        {visible.map(({ item_id, at, act }) => (
          <li key={`${act} ${item_id} ${at}`}>
            {act && <span class="badge">{act}</span>}
            <a href={linkTo(['posts', item_id])}>{storedLine(items.data?.get(item_id)?.item) ?? item_id}</a>
            <small>
              <Ago at={at} />
            </small>
          </li>
        ))}
      </ol>
      {shown < lines.length && <Button onClick={() => setShown(shown + SHOWN)}>Show more</Button>}
    </>
  );
}
