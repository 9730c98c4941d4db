import { useState } from 'preact/hooks';
import { api } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { readRevision, type SavedFeed } from '../../ui/feeds.tsx';
import { useResource } from '../../ui/resource.ts';
import { Loaded } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';
import { attempt, tell } from '../../ui/toast.tsx';
import { type Change, changesOf, changeText, inLines } from './diff.ts';
import { fieldsOf } from './feed.ts';

export function Changes({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return <p class="help">Nothing that is shown here.</p>;
  return (
    <ul class="changes">
      {inLines(changes).map((change) => (
        <li key={change.path.join('/')}>{changeText(change)}</li>
      ))}
    </ul>
  );
}

/** How many revisions are shown at first, and added on demand. */
const STEP = 10;

/** What a feed was before, newest first, with what each revision changed. */
export function Revisions(props: {
  feed: SavedFeed;
  is_dirty: boolean;
  onRestore: (feed: SavedFeed) => void;
}) {
  const { feed, is_dirty, onRestore } = props;
  const { config_id } = feed;
  const [shown, setShown] = useState(STEP);
  const revisions = useResource(
    async (signal) => {
      const { data } = await api().feedRevisions(config_id, { signal });
      // The one before the last is needed to know what the last changed.
      const listed = data.slice(0, shown + 1);
      const read = listed.map(({ revision }) => readRevision(config_id, revision, signal));
      return { all_count: data.length, listed, feeds: await Promise.all(read) };
    },
    [config_id, feed.revision, shown],
  );
  return (
    <Loaded resource={revisions}>
      {({ all_count, listed, feeds }) => (
        <>
          <ol class="revisions">
            {listed.slice(0, shown).map(({ revision, at, actor, key_name }, index) => (
              <li key={revision} class="card">
                <header class="row">
                  <h2>Revision {revision}</h2>
                  <span class="help">
                    <Ago at={at} /> by {key_name ?? actor}
                  </span>
                  {revision === feed.revision ? (
                    <span class="status active">now</span>
                  ) : (
                    <Button
                      icon="back"
                      disabled={is_dirty}
                      label={`Restore revision ${revision}`}
                      onClick={() => restore(feed, feeds[index], onRestore)}
                    >
                      Restore
                    </Button>
                  )}
                </header>
                {feeds[index + 1] === undefined ? (
                  <p class="help">{revision === 1 ? 'Created' : 'The oldest revision that is kept'}</p>
                ) : (
                  <Changes changes={changesOf(fieldsOf(feeds[index + 1]), fieldsOf(feeds[index]))} />
                )}
              </li>
            ))}
          </ol>
          {is_dirty && <p class="help">Save or discard your changes before you restore a revision.</p>}
          {all_count > shown && <Button onClick={() => setShown(shown + STEP)}>Show more</Button>}
        </>
      )}
    </Loaded>
  );
}

/** Makes a feed what it was. That is a new revision, which can be undone. */
function restore(now: SavedFeed, then: SavedFeed, done: (feed: SavedFeed) => void): void {
  const { config_id } = now;
  const write = async (fields: SavedFeed, revision: number): Promise<number> => {
    const { data } = await api().changeFeed({ config_id, ...fieldsOf(fields) }, { revision });
    done(data);
    return data.revision;
  };
  attempt(async () => {
    const restored = await write(then, now.revision);
    const undo = async (): Promise<void> => void (await write(now, restored));
    tell(`The feed is as of revision ${then.revision}`, () => attempt(undo));
  });
}
