import { useRef, useState } from 'preact/hooks';
import { FeedSelect, FIRST_FEED, useFeedChoice } from '../preview/feed-select.tsx';
import { type FeedChoice, needsViewer, pageOf } from '../preview/page-of.ts';
import { Circumstances } from '../preview/posts.tsx';
import { place, replaceQuery } from '../router.ts';
import { Button } from '../ui/button.tsx';
import { Head } from '../ui/layout.tsx';
import { useViewerInAddress, ViewerPicker, viewer } from '../ui/pickers.tsx';
import { PicturesSwitch } from '../ui/picture.tsx';
import { useResource } from '../ui/resource.ts';
import { Empty, Loaded } from '../ui/states.tsx';
import { Column } from './compare/column.tsx';
import { movesBetween, summaryOf } from './compare/moves.ts';

/** Two feeds for one viewer, side by side: `#/compare?left=feed_1@2&right=feed_1&user=1393`. */
export function ComparePage() {
  const { query } = place.value;
  const left = query.get('left') ?? FIRST_FEED;
  const right = query.get('right') ?? 'trending';
  useViewerInAddress();
  const before = useFeedChoice(left);
  const after = useFeedChoice(right);
  return (
    <>
      <Head title="Compare">
        <PicturesSwitch />
        <Button icon="refresh" onClick={() => replaceQuery({ left: right, right: left })}>
          Swap sides
        </Button>
      </Head>
      <div class="questions">
        <FeedSelect label="Before" value={left} onChange={(value) => replaceQuery({ left: value })} />
        <FeedSelect label="After" value={right} onChange={(value) => replaceQuery({ right: value })} />
        <ViewerPicker />
      </div>
      <Loaded resource={before}>
        {(one) => (
          <Loaded resource={after}>
            {(other) => <Pages before={one} after={other} values={{ left, right }} />}
          </Loaded>
        )}
      </Loaded>
    </>
  );
}

function Pages(props: { before: FeedChoice; after: FeedChoice; values: { left: string; right: string } }) {
  const { before, after, values } = props;
  const user_id = viewer.value;
  const left = useResource((signal) => pageOf(before, user_id, signal), [JSON.stringify(before), user_id]);
  const right = useResource((signal) => pageOf(after, user_id, signal), [JSON.stringify(after), user_id]);
  const [focused, setFocused] = useState<string>();
  const pages = useRef<HTMLFieldSetElement>(null);
  const moves = movesBetween(
    (left.data?.body ?? []).map(({ item_id }) => item_id),
    (right.data?.body ?? []).map(({ item_id }) => item_id),
  );
  const sides = [
    { side: 'left', other: 'right', title: 'Before', page: left },
    { side: 'right', other: 'left', title: 'After', page: right },
  ] as const;
  return (
    <>
      {[before, after].some(({ endpoint }) => needsViewer(endpoint, user_id)) && (
        <p class="help">Choose a viewer for a personal page. Until then, it is that of a newcomer.</p>
      )}
      {left.data && right.data && <Circumstances answers={[left.data, right.data]} />}
      {left.data && right.data && (
        <p role="status">
          {summaryOf(moves)}. <small>Arrow keys walk through the posts and to the other side.</small>
        </p>
      )}
      <fieldset
        ref={pages}
        class="sides"
        aria-label="Both pages"
        onKeyDown={(event) => {
          if (pages.current !== null && walk(pages.current, event.key)) event.preventDefault();
        }}
      >
        {sides.map(({ side, other, title, page }) => (
          <section key={side} aria-label={title} aria-busy={page.is_loading}>
            <h2>{title}</h2>
            <Loaded resource={page} lines={8}>
              {({ body }) =>
                body.length === 0 ? (
                  <Empty title="The page is empty" />
                ) : (
                  <Column
                    {...{ side, title, moves, focused }}
                    items={body}
                    {...{ user_id, feed: values[side], other_feed: values[other] }}
                    onFocus={setFocused}
                  />
                )
              }
            </Loaded>
          </section>
        ))}
      </fieldset>
    </>
  );
}

/** Moves the focus from the post that has it, by an arrow key. @returns whether it moved */
function walk(pages: HTMLElement, key: string): boolean {
  const here = document.activeElement;
  if (!(here instanceof HTMLElement) || here.dataset.item === undefined) return false;
  const target = targetOf(pages, here, key);
  if (!(target instanceof HTMLElement)) return false;
  target.focus();
  return true;
}

/** Left and right lead to the same post on the other side; if it is not there, to the same place. */
function targetOf(pages: HTMLElement, here: HTMLElement, key: string): Element | null | undefined {
  if (key === 'ArrowDown') return here.nextElementSibling;
  if (key === 'ArrowUp') return here.previousElementSibling;
  const side = { ArrowLeft: 'left', ArrowRight: 'right' }[key];
  const list = here.parentElement;
  if (side === undefined || list === null || list.dataset.side === side) return undefined;
  const others = [...pages.querySelectorAll<HTMLElement>(`[data-side=${side}] > li`)];
  const same = others.find((other) => other.dataset.item === here.dataset.item);
  return same ?? others.at(Math.min([...list.children].indexOf(here), others.length - 1));
}
