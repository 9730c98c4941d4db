import { useState } from 'preact/hooks';
import { type FeedAnswer, type FeedItem, FeedloomError } from '../../../../openapi/client/src/index.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Post } from '../ui/post.tsx';
import type { Resource } from '../ui/resource.ts';
import { Empty, Failure, Loading } from '../ui/states.tsx';
import { Funnel, narrowest } from './funnel.tsx';
import { WhyHere } from './why-here.tsx';

/** A page as its viewer would see it, with what was wrong with its feed. */
export function Posts({ page }: { page: Resource<FeedAnswer> }) {
  const { data, error, is_loading, reload } = page;
  const [asked, setAsked] = useState<{ item: FeedItem; place: number }>();
  return (
    <div class="page" aria-busy={is_loading}>
      {error !== undefined && <Faults error={error} retry={reload} />}
      {data?.warnings && error === undefined && <Notes kind="warning" texts={data.warnings} />}
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
  return <Notes kind="error" texts={texts.length > 0 ? texts : [error.detail]} />;
}

function Notes({ kind, texts }: { kind: 'error' | 'warning'; texts: readonly string[] }) {
  return (
    <div class={`notes ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      <Icon name="warning" />
      <ul>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}
