import { useState } from 'preact/hooks';
import { linkTo } from '../../router.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { postLine, storedPost } from '../../ui/post.tsx';
import { useResource } from '../../ui/resource.ts';
import { Ago } from '../../ui/time.tsx';

/** An item, and what happened with it. */
export interface Line {
  item_id: string;
  /** Seconds since the epoch. */
  at: number;
  /** What the viewer did. */
  act?: string;
}

/** As many texts as are loaded at a time. */
const SHOWN = 12;

/** Items in one line each, with the beginning of their text. */
export function ItemLines({ lines }: { lines: readonly Line[] }) {
  const [shown, setShown] = useState(SHOWN);
  const visible = lines.slice(0, shown);
  const texts = useResource(
    async (signal) => {
      const read = visible.map(({ item_id }) => textOf(item_id, signal));
      return new Map((await Promise.all(read)).map((text, at) => [visible[at].item_id, text]));
    },
    [lines, shown],
  );
  return (
    <>
      <ol class="item-lines">
        {visible.map(({ item_id, at, act }) => (
          <li key={`${act} ${item_id} ${at}`}>
            {act && <span class="badge">{act}</span>}
            <a href={linkTo(['items', item_id])}>{texts.data?.get(item_id) ?? item_id}</a>
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

/** The text in one line. The identifier of an item that is gone. */
async function textOf(item_id: string, signal: AbortSignal): Promise<string> {
  const query = { search: item_id, limit: 1 };
  const answer = await api().call('GET', '/v2/{network}/items', { query, signal });
  const found = 'items' in answer ? answer.items.at(0) : undefined;
  if (found?.item_id !== item_id || found.item === null) return item_id;
  return postLine(storedPost(found.item)).slice(0, 200);
}
