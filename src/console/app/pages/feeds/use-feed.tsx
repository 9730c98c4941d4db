import { ADDRESS } from '../../session.ts';
import { CodeChoice } from '../../ui/code.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { type SavedFeed, typeOf } from '../../ui/feeds.tsx';
import { NEWCOMER, viewer } from '../../ui/pickers.tsx';
import { KEY_VARIABLE, programsOf } from '../../ui/programs.ts';

/** Stands where the reader puts the id of a viewer. */
const VIEWER_PLACEHOLDER = 'USER_ID';

/** Snippets that request a page of a saved feed, for the viewer of the preview if there is one. */
export function UseFeed(props: { feed: SavedFeed; is_dirty: boolean; onClose: () => void }) {
  const { feed, is_dirty, onClose } = props;
  const { config_id: feed_id, status } = feed;
  const feed_type = typeOf(feed.endpoint);
  const previewed = viewer.value === NEWCOMER || viewer.value === '' ? undefined : viewer.value;
  const is_personal = feed_type === 'for-you';
  const user_id = previewed ?? (is_personal ? VIEWER_PLACEHOLDER : undefined);
  const request: Record<string, string> = user_id === undefined ? { feed_id } : { feed_id, user_id };
  const codes = programsOf({ address: ADDRESS.replace(/\/$/, ''), feed_type, request });
  return (
    <Dialog title="Use this feed" wide onClose={onClose}>
      {status === 'inactive' && (
        <p class="note warn">This feed is inactive. Requests get an error until you activate it.</p>
      )}
      {is_dirty && <p class="note warn">Requests get the feed as it was saved last. Save your changes.</p>}
      <p>
        Your program requests a page of this feed by its id. Set the environment variable{' '}
        <code>{KEY_VARIABLE}</code> to a key of this account with the scope <code>feed:read</code>.
      </p>
      <CodeChoice label="Request in" codes={codes} />
      <p class="help">
        <ViewerHelp user_id={user_id} is_personal={is_personal} />
      </p>
      <p class="help">
        Keep the key on your server. Apps and pages send <a href="docs/keys#viewer-tokens">viewer tokens</a>{' '}
        instead. <a href="docs/clients">Clients</a> has the TypeScript client, and rules for all programs.
      </p>
    </Dialog>
  );
}

function ViewerHelp({ user_id, is_personal }: { user_id: string | undefined; is_personal: boolean }) {
  if (user_id === VIEWER_PLACEHOLDER)
    return (
      <>
        Put the id of the viewer in the place of <code>{VIEWER_PLACEHOLDER}</code>.
      </>
    );
  if (user_id === undefined)
    return (
      <>
        This feed needs no viewer. Add <code>user_id</code> to leave out posts that a viewer has seen or
        hidden.
      </>
    );
  return (
    <>
      <code>user_id</code> is the viewer of the preview{is_personal ? '' : ', and can be left out'}.
    </>
  );
}
