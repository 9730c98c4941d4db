import { useState } from 'preact/hooks';
import { goTo, linkTo, place, replaceQuery } from '../../router.ts';
import { api, may } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { findLists } from '../../ui/finders.ts';
import { Confirm, Form } from '../../ui/form.tsx';
import { ErrorText, TextField } from '../../ui/inputs.tsx';
import { Head } from '../../ui/layout.tsx';
import { openFirst, TYPING_MS } from '../../ui/records.tsx';
import { useResource, useSettled } from '../../ui/resource.ts';
import { Empty, Loaded, useSteps } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { whole } from '../../ui/texts.ts';

type List = Awaited<ReturnType<typeof findLists>>[number];

const COLUMNS: readonly Column<List>[] = [
  {
    title: 'Name',
    cell: ({ list_id, name }) => (
      <>
        <a href={linkTo(['lists', list_id])}>{name ?? list_id}</a> {name && <small>{list_id}</small>}
      </>
    ),
  },
  { title: 'Users', kind: 'number', cell: ({ size }) => whole(size) },
];

const SHOWN = 50;

/** Finds lists by their names and identifiers. */
export function ListOfLists() {
  const typed = place.value.query.get('q') ?? '';
  const search = useSettled(typed.trim(), TYPING_MS);
  const lists = useResource((signal) => findLists(search, signal), [search]);
  const [is_new, setNew] = useState(false);
  return (
    <>
      <Head title="Lists">
        {may('ingest:write') && (
          <Button kind="primary" icon="plus" onClick={() => setNew(true)}>
            New list
          </Button>
        )}
      </Head>
      <Form
        class="record-search"
        onSubmit={() => openFirst('lists', async (text) => (await findLists(text)).at(0)?.list_id)}
      >
        <TextField
          label="Find lists"
          help="A part of a name or an identifier. Enter opens the first."
          type="search"
          value={typed}
          onChange={(q) => replaceQuery({ q })}
        />
      </Form>
      <Loaded resource={lists}>
        {(found) => (found.length === 0 ? <Nothing search={search} /> : <Lists key={search} lists={found} />)}
      </Loaded>
      {is_new && <NewList onClose={() => setNew(false)} />}
    </>
  );
}

function Lists({ lists }: { lists: readonly List[] }) {
  const { shown, more } = useSteps(lists, SHOWN);
  return (
    <>
      <Table columns={COLUMNS} rows={shown} keyOf={({ list_id }) => list_id} />
      {more}
    </>
  );
}

function Nothing({ search }: { search: string }) {
  return (
    <Empty title={search === '' ? 'There are no lists yet' : `No list has “${search}” in its name`}>
      <p>Feeds keep or leave out the authors on a list. Those of a network appear here, too.</p>
    </Empty>
  );
}

function NewList({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [typed, setTyped] = useState('');
  const list_id = typed.trim();
  const create = async (): Promise<void> => {
    const { lists } = await api().listLists();
    // The service would replace it.
    if (lists.some((list) => list.list_id === list_id))
      throw new Error(`There is a list ${list_id} already.`);
    await api().putList(list_id, { user_ids: [], name: name.trim() || undefined });
    goTo(['lists', list_id]);
  };
  return (
    <Confirm
      title="New list"
      action="Create"
      kind="primary"
      disabled={list_id === ''}
      onClose={onClose}
      work={create}
      fields={({ text }) => (
        <>
          <TextField
            label="Identifier"
            help="Feeds name the list by it. It cannot be changed."
            value={typed}
            onChange={setTyped}
          />
          <TextField label="Name" help="For people. May be empty." value={name} onChange={setName} />
          <ErrorText text={text} />
        </>
      )}
    >
      The list is empty at first. Users are added on its page.
    </Confirm>
  );
}
