import { linkTo, place, replaceQuery } from '../../router.ts';
import { Form } from '../../ui/form.tsx';
import { TextField } from '../../ui/inputs.tsx';
import { Head } from '../../ui/layout.tsx';
import { openFirst, TYPING_MS } from '../../ui/records.tsx';
import { useResource, useSettled } from '../../ui/resource.ts';
import { Empty, Loaded } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { whole } from '../../ui/texts.ts';
import { findUsers, nameOfUser } from '../../ui/users.ts';

const FOUND_MAX = 50;

type User = Awaited<ReturnType<typeof findUsers>>[number];

const COLUMNS: readonly Column<User>[] = [
  {
    title: 'Name',
    cell: (user) => (
      <>
        <a href={linkTo(['viewers', user.user_id])}>{nameOfUser(user)}</a>{' '}
        <small>{[user.username && `@${user.username}`, user.user_id].filter(Boolean).join(' · ')}</small>
        {user.hidden && (
          <span class="badge bad">{user.hidden_by_network ? 'Hidden by its network' : 'Hidden'}</span>
        )}
      </>
    ),
  },
  { title: 'Posts', kind: 'number', cell: ({ items_count }) => whole(items_count) },
  { title: 'Followers', kind: 'number', cell: ({ followers_count }) => whole(followers_count) },
];

/** Finds viewers by the start of a name or identifier. */
export function ViewerList() {
  const typed = place.value.query.get('q') ?? '';
  const search = useSettled(typed.trim(), TYPING_MS);
  const users = useResource((signal) => findUsers(search, FOUND_MAX, signal), [search]);
  const title = search === '' ? 'The latest viewers' : 'Viewers found';
  return (
    <>
      <Head title="Viewers" />
      <Form
        class="record-search"
        onSubmit={() => openFirst('viewers', async (name) => (await findUsers(name, 1)).at(0)?.user_id)}
      >
        <TextField
          label="Find viewers"
          help="Start of a name or an identifier. Enter opens the first."
          type="search"
          value={typed}
          onChange={(q) => replaceQuery({ q })}
        />
      </Form>
      <Loaded resource={users}>
        {(found) =>
          found.length === 0 ? (
            <Nothing search={search} />
          ) : (
            <Table
              columns={COLUMNS}
              rows={found}
              keyOf={({ user_id }) => user_id}
              caption={[title, found.length === FOUND_MAX && ` (the first ${FOUND_MAX})`]}
            />
          )
        }
      </Loaded>
    </>
  );
}

function Nothing({ search }: { search: string }) {
  return search === '' ? (
    <Empty title="There are no viewers yet">
      <p>They appear when the service receives users, follows or interactions.</p>
    </Empty>
  ) : (
    <Empty title={`No viewer begins with “${search}”`}>
      <p>Names and identifiers are compared from their first letter.</p>
    </Empty>
  );
}
