import { useState } from 'preact/hooks';
import type { StoredUser } from '../../../../../openapi/client/src/index.ts';
import { goTo, linkTo } from '../../router.ts';
import { api, may } from '../../session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { saveAs } from '../../ui/code.tsx';
import { Confirm, WorkButton } from '../../ui/form.tsx';
import { Switch, TextField } from '../../ui/inputs.tsx';
import { hiddenBy, setHidden } from '../../ui/moderation.ts';
import { tell } from '../../ui/toast.tsx';

/** What moderators can do with a user. @param onChange called after a change */
export function ViewerActions({ user, onChange }: { user: StoredUser; onChange: () => void }) {
  const { user_id, hidden } = user;
  const [is_erasing, setErasing] = useState(false);
  const save = async (): Promise<void> => {
    const lines = await api().exportUser(user_id);
    const written = lines.map((line) => `${JSON.stringify(line)}\n`);
    saveAs('application/x-ndjson', `${user_id}.ndjson`, ...written);
  };
  return (
    <div class="record-actions">
      {may('config:write') && <ButtonLink href={linkTo(['why'], { user: user_id })}>Their page</ButtonLink>}
      <Switch
        text="Hide from all feeds"
        value={hidden === true}
        onChange={(next) => void setHidden('user', user_id, next, onChange)}
      />
      <WorkButton work={save}>Export</WorkButton>
      <Button kind="danger" onClick={() => setErasing(true)}>
        Erase…
      </Button>
      {is_erasing && <Erasure user={user} onClose={() => setErasing(false)} />}
    </div>
  );
}

function Erasure({ user, onClose }: { user: StoredUser; onClose: () => void }) {
  const { user_id } = user;
  const is_hidden = hiddenBy(user) !== undefined;
  const [typed, setTyped] = useState('');
  const [keep_items, setKeepsItems] = useState(false);
  const erase = async (): Promise<void> => {
    if (typed.trim() !== user_id) throw new Error(`Type ${user_id} to confirm.`);
    await api().deleteUser(user_id, keep_items ? { keep_items } : {});
    tell(`${user_id} is erased.`);
    goTo(['viewers']);
  };
  return (
    <Confirm
      title="Erase this person"
      action="Erase"
      onClose={onClose}
      work={erase}
      disabled={typed.trim() === ''}
      fields={({ text }) => (
        <>
          <Switch
            text="Keep the posts, without an author"
            value={keep_items}
            disabled={is_hidden}
            onChange={setKeepsItems}
          />
          {is_hidden && <p class="help">The posts of a hidden user cannot stay: they would be visible.</p>}
          <TextField label={`Type ${user_id} to confirm`} error={text} value={typed} onChange={setTyped} />
        </>
      )}
    >
      The profile, follows, interactions, impressions and posts leave every answer at once, and the store
      within a day. This cannot be undone.
    </Confirm>
  );
}
