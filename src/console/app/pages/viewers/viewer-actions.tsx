import { useState } from 'preact/hooks';
import type { StoredUser } from '../../../../../openapi/client/src/index.ts';
import { goTo, linkTo } from '../../router.ts';
import { api, may, textOf } from '../../session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Switch, TextInput } from '../../ui/inputs.tsx';
import { hiddenBy, setHidden } from '../../ui/moderation.ts';
import { saveAs } from '../../ui/save-as.ts';
import { tell, tellFailure } from '../../ui/toast.tsx';

/** What moderators can do with a user. @param onChange called after a change */
export function ViewerActions({ user, onChange }: { user: StoredUser; onChange: () => void }) {
  const { user_id, hidden } = user;
  const [is_erasing, setErasing] = useState(false);
  return (
    <div class="record-actions">
      {may('config:write') && <ButtonLink href={linkTo(['why'], { user: user_id })}>Their page</ButtonLink>}
      <Switch
        text="Hide from all feeds"
        value={hidden === true}
        onChange={(next) => void setHidden('user', user_id, next, onChange)}
      />
      <ExportButton user_id={user_id} />
      <Button kind="danger" onClick={() => setErasing(true)}>
        Erase…
      </Button>
      {is_erasing && <Erasure user={user} onClose={() => setErasing(false)} />}
    </div>
  );
}

function ExportButton({ user_id }: { user_id: string }) {
  const [is_busy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const lines = await api().exportUser(user_id);
      saveAs(
        'application/x-ndjson',
        `${user_id}.ndjson`,
        ...lines.map((line) => `${JSON.stringify(line)}\n`),
      );
    } catch (error) {
      tellFailure(error);
    }
    setBusy(false);
  };
  return (
    <Button disabled={is_busy} onClick={() => void save()}>
      Export
    </Button>
  );
}

function Erasure({ user, onClose }: { user: StoredUser; onClose: () => void }) {
  const { user_id } = user;
  const is_hidden = hiddenBy(user) !== undefined;
  const [typed, setTyped] = useState('');
  const [keeps_items, setKeepsItems] = useState(false);
  const [error, setError] = useState<string>();
  const [is_busy, setBusy] = useState(false);
  const erase = async (): Promise<void> => {
    if (typed.trim() !== user_id) {
      setError(`Type ${user_id} to confirm.`);
      return;
    }
    setBusy(true);
    try {
      await api().deleteUser(user_id, keeps_items ? { keep_items: true } : {});
      tell(`${user_id} is erased.`);
      goTo(['viewers']);
    } catch (reason) {
      setError(textOf(reason));
      setBusy(false);
    }
  };
  return (
    <Dialog title="Erase this person" onClose={onClose}>
      <Form class="confirm" onSubmit={erase}>
        <p>
          The profile, follows, interactions, impressions and posts leave every answer at once, and the store
          within a day. This cannot be undone.
        </p>
        <Switch
          text="Keep the posts, without an author"
          value={keeps_items}
          disabled={is_hidden}
          onChange={setKeepsItems}
        />
        {is_hidden && <p class="help">The posts of a hidden user cannot stay: they would be visible.</p>}
        <Field label={`Type ${user_id} to confirm`} error={error}>
          <TextInput value={typed} onChange={setTyped} />
        </Field>
        <div class="record-actions">
          <Button kind="danger" type="submit" disabled={is_busy || typed.trim() === ''}>
            Erase
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  );
}
