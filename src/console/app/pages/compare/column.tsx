import type { FeedItem } from '../../../../../openapi/client/src/index.ts';
import { linkTo } from '../../router.ts';
import { Icon } from '../../ui/icon.tsx';
import { Post } from '../../ui/post.tsx';
import type { Move } from './moves.ts';

/** The move of a post that only this side has. */
const ALONE = { left: 'gone', right: 'new' } as const;

/** One of two pages, with the moves of its posts. */
export function Column(props: {
  title: string;
  side: 'left' | 'right';
  items: readonly FeedItem[];
  moves: ReadonlyMap<string, Move>;
  /** The item that has the focus on one of both sides. */
  focused: string | undefined;
  /** The values of this side's feed and of the other. */
  feed: string;
  other_feed: string;
  user_id: string;
  onFocus: (item_id: string) => void;
}) {
  const { title, side, items, moves, feed, other_feed, user_id, focused, onFocus } = props;
  return (
    <ol class="posts" data-side={side} aria-label={title}>
      {items.map((item, index) => (
        <li
          key={item.item_id}
          data-item={item.item_id}
          class={item.item_id === focused ? 'focused' : undefined}
          tabIndex={item.item_id === focused || (focused === undefined && index === 0) ? 0 : -1}
          onFocus={() => onFocus(item.item_id)}
        >
          <p class="move">
            <b>{index + 1}</b>
            <Mark move={moves.get(item.item_id) ?? { kind: 'same' }} side={side} />
          </p>
          <Post item={item}>
            <WhyLink
              is_alone={moves.get(item.item_id)?.kind === ALONE[side]}
              {...{ feed, other_feed, user_id }}
              item_id={item.item_id}
            />
          </Post>
        </li>
      ))}
    </ol>
  );
}

/** Leads to the answer why a post is here, or why it is missing on the other side. */
function WhyLink(props: {
  is_alone: boolean;
  feed: string;
  other_feed: string;
  user_id: string;
  item_id: string;
}) {
  const { is_alone, feed, other_feed, user_id, item_id } = props;
  const query = { feed: is_alone ? other_feed : feed, user: user_id, item: item_id };
  return (
    <a class="why-link" href={linkTo(['why'], query)}>
      {is_alone ? 'Why not on the other side?' : 'Why is it here?'}
    </a>
  );
}

function Mark({ move, side }: { move: Move; side: 'left' | 'right' }) {
  if (move.kind === 'new') return <span class="mark up">new</span>;
  if (move.kind === 'gone') return <span class="mark down">gone</span>;
  if (move.kind === 'same') return <span class="mark">same place</span>;
  const { kind, by, from, to } = move;
  return (
    <span class={`mark ${kind}`}>
      <Icon name={kind} />
      {kind} {by}, {side === 'left' ? `to ${to}` : `from ${from}`}
    </span>
  );
}
