import { useState } from 'preact/hooks';
import { goTo, linkTo } from '../../router.ts';
import { api, may } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/form.tsx';
import { ErrorText, Field, TextField } from '../../ui/inputs.tsx';
import { Head } from '../../ui/layout.tsx';
import { LookUp } from '../../ui/look-up.tsx';
import { Back } from '../../ui/records.tsx';
import { usePaged } from '../../ui/resource.ts';
import { ListEnd } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { counted } from '../../ui/texts.ts';
import { attempt, tell } from '../../ui/toast.tsx';
import { searchUsers, useUserNames } from '../../ui/users.ts';

/** Users that are read at a time. */
const PART = 50;

/** The users of a list, in parts, and what can be done with it. */
export function ListOfUsers({ list_id }: { list_id: string }) {
  const [times, setTimes] = useState(0);
  const [asked, setAsked] = useState<'name' | 'delete'>();
  const list = usePaged(
    async (_: number | null | undefined, signal, loaded: readonly string[]) => {
      const query = { offset: loaded.length, limit: PART };
      const { user_ids, size, name } = await api().getList(list_id, query, { signal });
      const rest = user_ids.length === 0 ? 0 : size - loaded.length - user_ids.length;
      return { name, rest, entries: user_ids, cursor: rest > 0 ? rest : null };
    },
    [list_id, times],
  );
  const { entries, last, change } = list;
  const nameOf = useUserNames(entries);
  const reload = (): void => setTimes((before) => before + 1);
  const add = (ids: readonly string[]): void =>
    attempt(async () => {
      const { added } = await api().changeList(list_id, { add: [...ids] });
      tell(added === 0 ? 'Already on the list.' : `${counted(added, 'user')} added.`);
      reload();
    });
  const remove = (id: string): void =>
    attempt(async () => {
      await api().changeList(list_id, { remove: [id] });
      change((users) => users.filter((user) => user !== id));
      tell(`${nameOf(id)} is removed.`, () => add([id]));
    });
  const may_change = last !== undefined && may('ingest:write');
  return (
    <>
      <Back page="lists" to="All lists" />
      <Head title={last?.name ?? list_id}>
        {may_change && (
          <>
            <Button onClick={() => setAsked('name')}>Rename…</Button>
            <Button kind="danger" onClick={() => setAsked('delete')}>
              Delete…
            </Button>
          </>
        )}
      </Head>
      {last && (
        <p class="help">
          {counted(entries.length + last.rest, 'user')}. Feeds name the list as <code>list:{list_id}</code>.
        </p>
      )}
      {may_change && <AddUsers onAdd={add} />}
      {entries.length > 0 && (
        <Table columns={columnsOf(nameOf, may_change && remove)} rows={entries} keyOf={(id) => id} />
      )}
      <ListEnd list={list} none={<p class="help">No one is on the list.</p>} />
      {asked === 'name' && (
        <Renaming {...{ list_id, name: last?.name, onRenamed: reload }} onClose={() => setAsked(undefined)} />
      )}
      {asked === 'delete' && <Deletion list_id={list_id} onClose={() => setAsked(undefined)} />}
    </>
  );
}

/** @param remove false: the key may not change the list */
function columnsOf(
  nameOf: (id: string) => string,
  remove: false | ((id: string) => void),
): readonly Column<string>[] {
  const name: Column<string> = {
    title: 'User',
    cell: (id) => (
      <>
        <a href={linkTo(['viewers', id])}>{nameOf(id)}</a> {nameOf(id) !== id && <small>{id}</small>}
      </>
    ),
  };
  if (remove === false) return [name];
  const removal: Column<string> = {
    title: <span class="for-readers">Remove</span>,
    kind: 'number',
    cell: (id) => (
      <Button kind="quiet" icon="close" label={`Remove ${nameOf(id)}`} onClick={() => remove(id)} />
    ),
  };
  return [name, removal];
}

/** Adds users who are found by their names, and several at once by their identifiers. */
function AddUsers({ onAdd }: { onAdd: (ids: readonly string[]) => void }) {
  return (
    <div class="record-search">
      <Field label="Add users" help="A name or an id, or several ids with commas or lines between them.">
        <LookUp
          placeholder="Name or id"
          search={searchUsers}
          is_free
          drops_typed
          onChoose={(id) => onAdd([id])}
          onSeveral={(text) => {
            const ids = text.split(/[,\n]/).map((id) => id.trim());
            if (ids.length < 2) return false;
            onAdd(ids.filter((id) => id !== ''));
            return true;
          }}
        />
      </Field>
    </div>
  );
}

/** @param name undefined: it has none */
function Renaming(props: {
  list_id: string;
  name: string | undefined;
  onRenamed: () => void;
  onClose: () => void;
}) {
  const { list_id, name = '', onRenamed, onClose } = props;
  const [typed, setTyped] = useState(name);
  const rename = async (): Promise<void> => {
    const { warnings = [] } = await api().changeList(list_id, { name: typed.trim() });
    onClose();
    tell(['The list is renamed', ...warnings].join('. '));
    onRenamed();
  };
  return (
    <Confirm
      title="Rename this list"
      action="Rename"
      kind="primary"
      onClose={onClose}
      work={rename}
      fields={({ text }) => (
        <>
          <TextField label="Name" help="May be empty." value={typed} onChange={setTyped} />
          <ErrorText text={text} />
        </>
      )}
    >
      The name is for people. Feeds go on naming the list by its identifier.
    </Confirm>
  );
}

function Deletion({ list_id, onClose }: { list_id: string; onClose: () => void }) {
  const remove = async (): Promise<void> => {
    await api().deleteList(list_id);
    tell('The list is deleted.');
    goTo(['lists']);
  };
  return (
    <Confirm title="Delete this list" action="Delete" onClose={onClose} work={remove}>
      Filters that name it have a list without users then: a feed of its authors shows nothing, and a feed
      without them shows them again. This cannot be undone.
    </Confirm>
  );
}
