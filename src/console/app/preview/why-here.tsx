import type { FeedItem } from '../../../../openapi/client/src/index.ts';
import { linkTo } from '../router.ts';
import { Dialog } from '../ui/dialog.tsx';
import { authorName, postLine } from '../ui/post.tsx';
import { shortNumber } from '../ui/short-number.ts';
import { sourceText } from '../ui/source-text.ts';
import { Ago } from '../ui/time.tsx';
import { useUserName } from '../ui/viewer.tsx';
import { Score } from './score.tsx';
import { useSummaries } from './words.ts';

const ACTS = { like: 'liked it', comment: 'commented on it', share: 'shared it' } as const;

/** Explains why an item of a page is there. @param place counted from 1 */
export function WhyHere(props: { item: FeedItem; place: number; onClose: () => void }) {
  const { item, place, onClose } = props;
  const { source_feed, promotion_name, score, adjusted_score, metadata, explain } = item;
  const summaries = useSummaries();
  return (
    <Dialog title="Why is it here?" wide onClose={onClose}>
      <blockquote class="quote">
        {postLine(item)}
        {metadata && <small> {authorName(metadata.author)}</small>}
      </blockquote>
      <p>
        Place {place}, from: {sourceText(source_feed, promotion_name)}. Its score is {shortNumber(score)}
        {adjusted_score !== score && `, and ${shortNumber(adjusted_score)} after time decay`}.
      </p>
      <SocialProof item={item} />
      {explain && <Score explain={explain} summaries={summaries} />}
    </Dialog>
  );
}

function SocialProof({ item: { social_proof, following_engagement } }: { item: FeedItem }) {
  const { like, comment, share } = following_engagement;
  if (like + comment + share === 0) return <p>Nobody whom the viewer follows has reacted to it.</p>;
  return (
    <div>
      <h3>People whom the viewer follows</h3>
      <p>
        Likes: {like}. Comments: {comment}. Shares: {share}.
      </p>
      <ul class="sources">
        {social_proof.map(({ user_id, interaction, timestamp }) => (
          <li key={user_id}>
            <UserName user_id={user_id} /> {ACTS[interaction]}{' '}
            <small>
              <Ago at={timestamp} />
            </small>
          </li>
        ))}
      </ul>
    </div>
  );
}

function UserName({ user_id }: { user_id: string }) {
  return <a href={linkTo(['viewers', user_id])}>{useUserName(user_id)}</a>;
}
