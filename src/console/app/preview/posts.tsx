import { useState } from 'preact/hooks';
import { type FeedAnswer, type FeedItem, FeedloomError } from '../../../../openapi/client/src/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { authorName, Post, postLine } from '../ui/post.tsx';
import type { Resource } from '../ui/resource.ts';
import { Empty, Failure, Loading, Notes } from '../ui/states.tsx';
import { shortNumber, sourceText } from '../ui/texts.ts';
import { Ago } from '../ui/time.tsx';
import { Funnel, narrowest } from './funnel.tsx';
import { Reasons, UserName } from './reasons.tsx';
import { Score } from './score.tsx';
import { useSummaries } from './words.ts';

const ACTS = { like: 'liked it', comment: 'commented on it', share: 'shared it' } as const;

/** Explains why an item of a page is there. @param place counted from 1 */
function WhyHere(props: { item: FeedItem; place: number; onClose: () => void }) {
  const { item, place, onClose } = props;
  const { source_feed, promotion_name, score, adjusted_score, metadata, reasons, explain } = item;
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
      <h3>Reasons that the viewer may be told</h3>
      <Reasons reasons={reasons} />
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

/** A page as its viewer would see it, with what was wrong with its feed. */
export function Posts({ page }: { page: Resource<FeedAnswer> }) {
  const { data, error, is_loading, reload } = page;
  const [asked, setAsked] = useState<{ item: FeedItem; place: number }>();
  return (
    <div class="page" aria-busy={is_loading}>
      {error !== undefined && <Faults error={error} retry={reload} />}
      {data?.warnings && error === undefined && <Notes kind="warn">{data.warnings}</Notes>}
      {data && <Circumstances answers={[data]} />}
      {data === undefined && error === undefined && <Loading lines={8} />}
      {data?.body.length === 0 && <NothingLeft answer={data} />}
      {data && data.body.length > 0 && (
        <ol class={error === undefined ? 'posts' : 'posts outdated'} aria-label="Posts of the page">
          {data.body.map((item, index) => (
            <li key={item.item_id}>
              <Post item={item}>
                {item.explain && (
                  <Button kind="quiet" onClick={() => setAsked({ item, place: index + 1 })}>
                    Why is it here?
                  </Button>
                )}
              </Post>
              <Reasons reasons={item.reasons} />
            </li>
          ))}
        </ol>
      )}
      {data?.trace && (
        <details class="how">
          <summary>How the page was built</summary>
          <Funnel trace={data.trace} />
        </details>
      )}
      {asked && <WhyHere {...asked} onClose={() => setAsked(undefined)} />}
    </div>
  );
}

/** What made pages differ from what their feeds say. */
export function Circumstances({ answers }: { answers: readonly FeedAnswer[] }) {
  const reason = answers.find(({ trace }) => trace?.cold_start)?.trace?.cold_start_reason;
  return (
    <>
      {answers.some(({ trace }) => trace && trace.effort < 1) && (
        <p class="help">The service is busy, so it collects fewer posts than usual.</p>
      )}
      {reason && <p class="help">This is the page of the cold start feed: {reason}.</p>}
    </>
  );
}

function NothingLeft({ answer: { trace } }: { answer: FeedAnswer }) {
  const step = trace && narrowest(trace);
  return (
    <Empty title="The page is empty">
      <p>
        {step === undefined
          ? 'No post passes the filters of this feed.'
          : `The step ${step.plugin} received ${step.in} posts and kept ${step.out}.`}
      </p>
    </Empty>
  );
}

/** What is wrong with the feed, else that the page could not be loaded. */
function Faults({ error, retry }: { error: unknown; retry: () => void }) {
  if (!(error instanceof FeedloomError) || error.status >= 500)
    return <Failure error={error} retry={retry} />;
  const texts = error.errors.map(({ path, message }) => `${path.replace(/^\/config\//, '')}: ${message}`);
  return <Notes kind="bad">{texts.length > 0 ? texts : [error.detail]}</Notes>;
}
