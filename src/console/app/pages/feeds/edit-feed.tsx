import { useLayoutEffect, useState } from 'preact/hooks';
import { Preview } from '../../preview/preview.tsx';
import { goTo, linkTo, place } from '../../router.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { listFeeds, type SavedFeed, Status } from '../../ui/feeds.tsx';
import { Field } from '../../ui/inputs.tsx';
import { hasCtrl, isWindowOpen, useWindowEvent } from '../../ui/keys.ts';
import { Head, Section } from '../../ui/layout.tsx';
import { useResource } from '../../ui/resource.ts';
import { Loaded, Notes } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';
import { Unsaved } from '../../ui/unsaved.tsx';
import { type Change, changesOf } from './diff.ts';
import { Editor } from './editor.ts';
import { fieldsOf, objectOf } from './feed.ts';
import { FeedMenu } from './feed-menu.tsx';
import { FormContext } from './inputs/form.ts';
import { JsonInput } from './inputs/json-input.tsx';
import { canLearn, LearningTab } from './learning.tsx';
import { Changes, Revisions } from './revisions.tsx';
import { type Forms, loadForms } from './schemas.ts';
import { StepLinks, Steps } from './steps.tsx';
import { UseFeed } from './use-feed.tsx';

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

export function EditFeed({ config_id }: { config_id: string }) {
  const loaded = useResource(
    async (signal) => {
      const [{ data: feed }, forms, own, shared] = await Promise.all([
        api().readFeed(config_id, { signal }),
        loadForms(signal),
        listFeeds(signal),
        listFeeds(signal, 'template'),
      ]);
      // Each once, and what another feed may refer to.
      const by_id = new Map([...own, ...shared].map((one) => [one.config_id, one]));
      by_id.delete(config_id);
      return { feed, forms, feeds: [...by_id.values()] };
    },
    [config_id],
  );
  return <Loaded resource={loaded}>{(data) => <FeedEditor {...data} />}</Loaded>;
}

/** Where the JSON tab has its text. */
const CONFIG = '/config';

const TABS = [
  { id: undefined, title: 'Settings' },
  { id: 'json', title: 'JSON' },
  { id: 'revisions', title: 'Revisions' },
  { id: 'learning', title: 'Learning' },
] as const;

function FeedEditor({ feed, forms, feeds }: { feed: SavedFeed; forms: Forms; feeds: readonly SavedFeed[] }) {
  const [editor] = useState(() => new Editor(feed));
  const { base, draft, is_dirty, has_unreadable, faults } = editor;
  const tab = place.value.query.get('tab') ?? undefined;
  useSaveKey(editor);
  // Not later: the next key is for the field.
  useLayoutEffect(() => {
    document.querySelector<HTMLElement>('.editor [aria-invalid]')?.focus();
  }, [faults]);
  return (
    <FormContext.Provider
      value={{ faults, forms, feeds, setUnreadable: (path, is) => editor.setUnreadable(path, is) }}
    >
      <div class="editor-top">
        <Top editor={editor} />
        <Tabs feed={base} tab={tab} />
      </div>
      {tab === 'revisions' ? (
        <Revisions feed={base} is_dirty={is_dirty} onRestore={(restored) => editor.reset(restored)} />
      ) : tab === 'learning' && canLearn(base) ? (
        <LearningTab feed={base} />
      ) : (
        <div class="editor">
          <div class="parts">
            <SaveNotes editor={editor} />
            {tab === 'json' ? (
              <JsonTab editor={editor} />
            ) : (
              <Steps feed={draft} onChange={(changes) => editor.change(draft, changes)} />
            )}
          </div>
          <div class="beside">
            <Preview endpoint={draft.endpoint} config={draft.config} />
          </div>
        </div>
      )}
      <Unsaved is_dirty={is_dirty || has_unreadable} save={() => editor.save()} />
      <Conflict editor={editor} />
    </FormContext.Provider>
  );
}

/** Errors and warnings of the last save. The errors are also shown at their fields. */
function SaveNotes({ editor: { faults, warnings } }: { editor: Editor }) {
  const title = faults.length === 1 ? 'One value is not allowed' : `${faults.length} values are not allowed`;
  return (
    <>
      <Notes kind="bad" title={title}>
        {faults.map(({ path, message }) => [
          <code key="path">{path.replace(/^\/(config\/)?/, '').replaceAll('/', '.')}</code>,
          ` ${message}`,
        ])}
      </Notes>
      <Notes kind="warn" title="Saved. Please check:">
        {warnings}
      </Notes>
    </>
  );
}

/** The config as JSON. */
function JsonTab({ editor }: { editor: Editor }) {
  const { draft } = editor;
  return (
    <Section
      kind="card"
      title="Config"
      help="What you type is in the form and in the preview as soon as it is valid JSON."
    >
      <Field label="Config as JSON" hidden_label>
        <JsonInput
          value={draft.config}
          path={CONFIG}
          is_config
          onChange={(config) => editor.change(draft, { config: objectOf(config) })}
        />
      </Field>
    </Section>
  );
}

function Tabs({ feed, tab }: { feed: SavedFeed; tab: string | undefined }) {
  const { config_id } = feed;
  return (
    <div class="tabs">
      {TABS.filter(({ id }) => id !== 'learning' || canLearn(feed)).map(({ id, title }) => (
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

function Top({ editor }: { editor: Editor }) {
  const { base, is_dirty, is_saving, has_unreadable } = editor;
  const [is_using, setUsing] = useState(false);
  const actions = <SavedActions editor={editor} onUse={() => setUsing(true)} />;
  const feeds = <a href={linkTo(['feeds'])}>Feeds</a>;
  return (
    <>
      <Head title={[feeds, ` / ${base.name}`]}>
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
      </Head>
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
  useWindowEvent('keydown', (event) => {
    if (event.key !== 'Enter' || !hasCtrl(event)) return;
    event.preventDefault();
    if (!isWindowOpen()) void editor.save();
  });
}
