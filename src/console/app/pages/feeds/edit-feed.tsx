import { useLayoutEffect, useState } from 'preact/hooks';
import { Preview } from '../../preview/preview.tsx';
import { goTo, linkTo, place } from '../../router.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useResource } from '../../ui/resource.ts';
import { Loaded } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';
import { Unsaved } from '../../ui/unsaved.tsx';
import { Changes } from './changes.tsx';
import { Details } from './details.tsx';
import { type Change, changesOf } from './diff.ts';
import { Editor } from './editor.ts';
import { fieldsOf, type SavedFeed } from './feed.ts';
import { Status } from './feed-list.tsx';
import { FeedMenu } from './feed-menu.tsx';
import { type Fault, FormContext, type NamedFeed } from './inputs/form.ts';
import { JsonTab } from './json-tab.tsx';
import { Revisions } from './revisions.tsx';
import { type Forms, loadForms } from './schemas.ts';
import { StepLinks, Steps } from './steps.tsx';
import { UseFeed } from './use-feed.tsx';

/** What the service said about a feed: errors, which are also at their fields, and warnings. */
function Notes({ faults, warnings }: { faults: readonly Fault[]; warnings: readonly string[] }) {
  return (
    <>
      {faults.length > 0 && (
        <div class="note bad" role="alert">
          <strong>
            {faults.length === 1 ? 'One value is not allowed' : `${faults.length} values are not allowed`}
          </strong>
          <ul>
            {faults.map(({ path, message }) => (
              <li key={`${path} ${message}`}>
                <code>
                  {path
                    .replace(/^\/config\//, '/')
                    .slice(1)
                    .replaceAll('/', '.')}
                </code>{' '}
                {message}
              </li>
            ))}
          </ul>
        </div>
      )}
      {warnings.length > 0 && (
        <div class="note warn">
          <strong>Saved. Please check:</strong>
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

/** Somebody else saved the feed while it was edited here: what both changed, and what can be done. */
function Conflict({ editor }: { editor: Editor }) {
  const { base, draft, theirs } = editor;
  const ignore = (): void => editor.ignoreTheirs();
  if (theirs === undefined) return null;
  const before = fieldsOf(base);
  const their_changes = changesOf(before, fieldsOf(theirs.feed));
  const my_changes = changesOf(before, draft);
  const twice = my_changes.filter((mine) => their_changes.some((other) => overlap(mine, other)));
  return (
    <Dialog title="Somebody else changed this feed" onClose={ignore} wide>
      <p>
        Revision {theirs.feed.revision} was saved <Ago at={theirs.feed.updated_at} /> by {theirs.by}. Your
        changes are not saved yet.
      </p>
      <h3>They changed</h3>
      <Changes changes={their_changes} />
      <h3>You changed</h3>
      <Changes changes={my_changes} />
      {twice.length > 0 && (
        <p>
          Both changed {twice.map(({ path }) => path.join('.')).join(', ')}. If you save, your value stays.
        </p>
      )}
      <div class="row end">
        <Button onClick={ignore}>Go on editing</Button>
        <Button kind="danger" onClick={() => editor.reset(theirs.feed)}>
          Discard my changes
        </Button>
        <Button kind="primary" onClick={() => void editor.saveOnTop()}>
          Keep both and save
        </Button>
      </div>
    </Dialog>
  );
}

/** Whether two changes concern the same value, or one is inside of the other. */
function overlap({ path: left }: Change, { path: right }: Change): boolean {
  const common = Math.min(left.length, right.length);
  return left.slice(0, common).join('\n') === right.slice(0, common).join('\n');
}

/** The most feeds that can be chosen in a form. */
const CHOSEN_MAX = 1_000;

export function EditFeed({ config_id }: { config_id: string }) {
  const loaded = useResource(
    async (signal) => {
      const [{ data: feed }, forms, { data: own }, { data: shared }] = await Promise.all([
        api().readFeed(config_id, { signal }),
        loadForms(signal),
        api().listFeeds({ limit: CHOSEN_MAX }, { signal }),
        api().listFeeds({ visibility: 'template', limit: CHOSEN_MAX }, { signal }),
      ]);
      return { feed, forms, feeds: namedFeeds([...own, ...shared], config_id) };
    },
    [config_id],
  );
  return <Loaded resource={loaded}>{(data) => <FeedEditor {...data} />}</Loaded>;
}

/** Feeds that another may refer to, each once. */
function namedFeeds(feeds: readonly SavedFeed[], config_id: string): NamedFeed[] {
  const named = feeds
    .filter((feed) => feed.config_id !== config_id)
    .map(({ config_id: id, name, status }): [string, NamedFeed] => [
      id,
      { config_id: id, name, is_active: status === 'active' },
    ]);
  return [...new Map(named).values()];
}

/** Where the JSON tab has its text. */
const CONFIG = '/config';

const TABS = [
  { id: undefined, title: 'Settings' },
  { id: 'json', title: 'JSON' },
  { id: 'revisions', title: 'Revisions' },
] as const;

function FeedEditor({ feed, forms, feeds }: { feed: SavedFeed; forms: Forms; feeds: readonly NamedFeed[] }) {
  const [editor] = useState(() => new Editor(feed));
  const { base, draft, is_dirty, has_unreadable, faults } = editor;
  const tab = place.value.query.get('tab') ?? undefined;
  useSaveKey(editor);
  // Not later: the next key is for the field.
  useLayoutEffect(() => {
    document.querySelector<HTMLElement>('.editor [aria-invalid]')?.focus();
  }, [faults]);
  const body =
    tab === 'revisions' ? (
      <Revisions feed={base} is_dirty={is_dirty} onRestore={(restored) => editor.reset(restored)} />
    ) : (
      <div class="editor">
        <div class="parts">
          <Notes {...{ faults }} warnings={editor.warnings} />
          {tab === 'json' ? (
            <JsonTab
              config={draft.config}
              onChange={(config) => editor.change(draft, { config })}
              onUnreadable={(is_unreadable) => editor.setUnreadable(CONFIG, is_unreadable)}
            />
          ) : (
            <>
              <Details feed={draft} onChange={(changes) => editor.change(draft, changes)} />
              <Steps
                endpoint={draft.endpoint}
                config={draft.config}
                onChange={(config) => editor.change(draft, { config: { ...config } })}
              />
            </>
          )}
        </div>
        <div class="beside">
          <Preview endpoint={draft.endpoint} config={draft.config} />
        </div>
      </div>
    );
  return (
    <FormContext.Provider
      value={{ faults, forms, feeds, setUnreadable: (path, is) => editor.setUnreadable(path, is) }}
    >
      <div class="editor-top">
        <Head editor={editor} />
        <Tabs config_id={base.config_id} tab={tab} />
      </div>
      {body}
      <Unsaved is_dirty={is_dirty || has_unreadable} save={() => editor.save()} />
      <Conflict editor={editor} />
    </FormContext.Provider>
  );
}

function Tabs({ config_id, tab }: { config_id: string; tab: string | undefined }) {
  return (
    <div class="tabs">
      {TABS.map(({ id, title }) => (
        <a
          key={title}
          href={linkTo(['feeds', config_id], { tab: id })}
          aria-current={id === tab ? 'page' : undefined}
        >
          {title}
        </a>
      ))}
      {tab === undefined && <StepLinks />}
    </div>
  );
}

function Head({ editor }: { editor: Editor }) {
  const { base, is_dirty, is_saving, has_unreadable } = editor;
  const [is_using, setUsing] = useState(false);
  const actions = <SavedActions editor={editor} onUse={() => setUsing(true)} />;
  return (
    <>
      <div class="head">
        <h1>
          <a href={linkTo(['feeds'])}>Feeds</a> / {base.name}
        </h1>
        <small>{base.config_id}</small>
        <Status status={base.status} />
        <span class="unsaved" role="status">
          {has_unreadable ? 'The JSON is not valid' : is_dirty && 'Unsaved changes'}
        </span>
        {actions}
        {is_dirty && (
          <Button kind="quiet" onClick={() => editor.reset()}>
            Discard
          </Button>
        )}
        <Button
          kind="primary"
          icon="check"
          disabled={!is_dirty || is_saving || has_unreadable}
          onClick={() => void editor.save()}
        >
          Save <kbd>Ctrl ⏎</kbd>
        </Button>
        <FeedMenu
          feed={base}
          onStatus={(changed) => editor.setStatus(changed)}
          onDelete={(is_there) => {
            editor.reset();
            goTo(is_there ? ['feeds', base.config_id] : ['feeds']);
          }}
        >
          {actions}
        </FeedMenu>
      </div>
      {is_using && (
        <UseFeed feed={base} is_dirty={is_dirty || has_unreadable} onClose={() => setUsing(false)} />
      )}
    </>
  );
}

/** What can be done with the feed as it was saved. On a phone it is in the menu, so that the name has room. */
function SavedActions({ editor, onUse }: { editor: Editor; onUse: () => void }) {
  const { base, is_dirty, has_unreadable } = editor;
  return (
    <div class="saved-actions">
      {base.revision > 1 && !is_dirty && !has_unreadable && (
        <Button kind="quiet" icon="back" onClick={() => void editor.goBack()}>
          Back to revision {base.revision - 1}
        </Button>
      )}
      <Button icon="code" onClick={onUse}>
        Use this feed
      </Button>
    </div>
  );
}

/** Ctrl Enter saves, also while somebody types. A field takes what is typed in it before this. */
function useSaveKey(editor: Editor): void {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (document.querySelector('dialog[open]') === null) void editor.save();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [editor]);
}
