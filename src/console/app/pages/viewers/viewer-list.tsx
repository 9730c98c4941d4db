import { linkTo, place, replaceQuery } from '../../router.ts';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import { openFirst } from '../../ui/open-first.ts';
import { useResource, useSettled } from '../../ui/resource.ts';
import { Empty, Loaded } from '../../ui/states.tsx';
import { findUsers, nameOfUser } from '../../ui/users.ts';

const FOUND_MAX = 50;
const TYPING_MS = 120;
const COUNT = new Intl.NumberFormat('en');

/** Finds viewers by the start of a name or identifier. */
export function ViewerList() {
  const typed = place.value.query.get('q') ?? '';
  const search = useSettled(typed.trim(), TYPING_MS);
  const users = useResource((signal) => findUsers(search, FOUND_MAX, signal), [search]);
  return (
    <>
      <div class="head">
        <h1>Viewers</h1>
      </div>
      <Form
        class="record-search"
        onSubmit={() => openFirst('viewers', async (name) => (await findUsers(name, 1)).at(0)?.user_id)}
      >
        <Field label="Find viewers" help="Start of a name or an identifier. Enter opens the first.">
          <TextInput
            type="search"
            value={typed}
            onChange={(q) => replaceQuery({ q: q === '' ? undefined : q })}
          />
        </Field>
      </Form>
      <Loaded resource={users}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={search === '' ? 'There are no viewers yet' : `No viewer begins with “${search}”`}>
              <p>
                {search === ''
                  ? 'They appear when the service receives users, follows or interactions.'
                  : 'Names and identifiers are compared from their first letter.'}
              </p>
            </Empty>
          ) : (
            <Table users={found} title={search === '' ? 'The latest viewers' : 'Viewers found'} />
          )
        }
      </Loaded>
    </>
  );
}

function Table({ users, title }: { users: Awaited<ReturnType<typeof findUsers>>; title: string }) {
  return (
    <table class="list">
      <caption>
        {title}
        {users.length === FOUND_MAX && ` (the first ${FOUND_MAX})`}
      </caption>
      <thead>
        <tr>
          <th>Name</th>
          <th class="number">Posts</th>
          <th class="number">Followers</th>
        </tr>
      </thead>
      <tbody>
        {users.map((user) => (
          <tr key={user.user_id}>
            <td>
              <a href={linkTo(['viewers', user.user_id])}>{nameOfUser(user)}</a>{' '}
              <small>
                {[user.username && `@${user.username}`, user.user_id].filter(Boolean).join(' · ')}
              </small>
              {user.hidden && (
                <span class="badge bad">{user.hidden_by_network ? 'Hidden by its network' : 'Hidden'}</span>
              )}
            </td>
            <td class="number">{COUNT.format(user.items_count)}</td>
            <td class="number">{COUNT.format(user.followers_count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
