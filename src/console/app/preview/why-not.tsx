import { type ExplainedItem, FeedloomError } from '../../../../openapi/client/src/index.ts';
import { readItem } from '../ui/finders.ts';
import { useUserName } from '../ui/pickers.tsx';
import { Post, storedPost } from '../ui/post.tsx';
import { useResource } from '../ui/resource.ts';
import { Loaded } from '../ui/states.tsx';
import { inConsoleWords, sentence } from '../ui/texts.ts';
import { explained, type FeedChoice, needsViewer } from './page-of.ts';
import { Reasons } from './reasons.tsx';
import { Score } from './score.tsx';
import { STAGES, type Stage, type Summaries, useSummaries } from './words.ts';

/** Explains why an item is on the page of a viewer, or why not. */
export function WhyNot(props: { feed: FeedChoice; user_id: string; item_id: string }) {
  const { feed, user_id, item_id } = props;
  const summaries = useSummaries();
  const answer = useResource(
    (signal) => explained(feed, user_id, item_id, signal),
    [JSON.stringify(feed), user_id, item_id],
  );
  return (
    <section class="why" aria-label="Answer" aria-live="polite" aria-busy={answer.is_loading}>
      <StoredPost item_id={item_id} />
      {needsViewer(feed.endpoint, user_id) && (
        <p class="help">Without a viewer, this is about the page of a newcomer.</p>
      )}
      {answer.error instanceof FeedloomError && answer.error.status === 404 ? (
        <p class="verdict no">{sentence(inConsoleWords(answer.error.detail))}</p>
      ) : (
        <Loaded resource={answer}>
          {({ body, warnings }) => (
            <>
              <Verdict item={body} summaries={summaries} />
              {warnings && <p class="help">{warnings.join(' ')}</p>}
            </>
          )}
        </Loaded>
      )}
    </section>
  );
}

/** The item itself. An item without content has none. */
function StoredPost({ item_id }: { item_id: string }) {
  // An unknown item is no error here.
  const { data } = useResource(
    async (signal) => (await readItem(item_id, signal))?.item ?? undefined,
    [item_id],
  );
  const author = useUserName(data?.author_id ?? '');
  if (data?.item_id !== item_id) return null;
  return <Post item={storedPost(data, data.author_id === null ? undefined : author)} />;
}

function Verdict({ item, summaries }: { item: ExplainedItem; summaries: Summaries }) {
  const { shown, rank, dropped_by, reasons, explain, cold_start, cold_start_reason } = item;
  return (
    <>
      <p class={shown ? 'verdict yes' : 'verdict no'}>
        {shown ? `It is on the page, at place ${rank}.` : 'It is not on the page.'}{' '}
        {dropped_by && STAGES[dropped_by.stage].dropped}
      </p>
      <Reasons reasons={reasons} />
      {dropped_by && (
        <>
          <Stages dropped_at={dropped_by.stage} />
          <p>
            {sentence(inConsoleWords(dropped_by.reason))} <code>{dropped_by.plugin}</code>
          </p>
        </>
      )}
      {cold_start && <p>The page comes from the cold start feed: {cold_start_reason}.</p>}
      <details>
        <summary>Score, signals and sources</summary>
        <Score explain={explain} summaries={summaries} />
      </details>
    </>
  );
}

function Stages({ dropped_at }: { dropped_at: Stage }) {
  return (
    <ol class="stages" aria-label="Stages of a page">
      {Object.entries(STAGES).map(([stage, { title }]) => (
        <li key={stage} aria-current={stage === dropped_at ? 'step' : undefined}>
          {title}
          {stage === dropped_at && <small>: dropped here</small>}
        </li>
      ))}
    </ol>
  );
}
