import type { ItemReason } from '../../../../openapi/client/src/index.ts';
import { linkTo } from '../router.ts';
import { useUserName } from '../ui/pickers.tsx';

/** What each reason says to a person who looks at the page of a viewer. */
const SENTENCES: Readonly<Record<ItemReason['type'], string>> = {
  followed_author: 'The viewer follows its author:',
  followed_liked: 'People whom the viewer follows liked, commented or shared it:',
  similar_taste: 'It fits what the viewer interacted with.',
  trending: 'It is gathering reactions now.',
  popular: 'It has many reactions.',
  new_here: 'It is new or little known, or the viewer is new.',
  more_of: 'The viewer wants more like this.',
  promoted: 'A promotion placed it.',
  fallback: 'The feed has no more posts, so a fallback feed goes on.',
  seen_before: 'The viewer has seen it before, and nothing else is left.',
};

/** Why an item is on a page, as a viewer may be told: a sentence for each reason. */
export function Reasons({ reasons = [] }: { reasons?: readonly ItemReason[] }) {
  if (reasons.length === 0) return null;
  return (
    <ul class="sources reasons" aria-label="Reasons">
      {reasons.map((reason) => (
        <li key={reason.type}>
          {SENTENCES[reason.type]}
          {'user_ids' in reason &&
            reason.user_ids.map((user_id, at) => (
              <span key={user_id}>
                {at > 0 && ','} <UserName user_id={user_id} />
              </span>
            ))}
        </li>
      ))}
    </ul>
  );
}

export function UserName({ user_id }: { user_id: string }) {
  return <a href={linkTo(['viewers', user_id])}>{useUserName(user_id)}</a>;
}
