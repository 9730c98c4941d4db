import type { ListedItem } from '../../../../../openapi/client/src/index.ts';
import { linkTo, place, replaceQuery } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { listItems, searchChannels } from '../../ui/finders.ts';
import { Form } from '../../ui/form.tsx';
import { Field, SelectField, TextField } from '../../ui/inputs.tsx';
import { ItemPost } from '../../ui/item-post.tsx';
import { Head } from '../../ui/layout.tsx';
import { LookUp } from '../../ui/look-up.tsx';
import { openFirst, TYPING_MS } from '../../ui/records.tsx';
import { usePaged, useResource, useSettled } from '../../ui/resource.ts';
import { Empty, Failure, Loaded } from '../../ui/states.tsx';
import { knownName, searchUsers, useUserNames } from '../../ui/users.ts';

const FOUND_MAX = 25;

/** The ways to find items, with the parameter of each in the API. Words are searched in parts. */
const WAYS = [
  { value: 'id', text: 'Identifier', parameter: 'search' },
  { value: 'words', text: 'Words', parameter: undefined },
  { value: 'author', text: 'Author', parameter: 'author_id' },
  { value: 'channel', text: 'Channel', parameter: 'channel' },
] as const;

type Way = (typeof WAYS)[number]['value'];

/** Finds items by the start of their identifier, by words of their text, by author or by channel. */
export function ItemList() {
  const { query } = place.value;
  const { value: way, parameter } = WAYS.find(({ value }) => value === query.get('by')) ?? WAYS[0];
  const typed = query.get('q') ?? '';
  const settled = useSettled(typed.trim(), TYPING_MS);
  // An empty text counts at once, because the settled one may be from another way.
  const search = typed.trim() === '' ? '' : settled;
  const is_words = parameter === undefined && search !== '';
  const wanted = search === '' || parameter === undefined ? {} : { [parameter]: search };
  const items = useResource(
    is_words ? undefined : (signal) => listItems({ limit: FOUND_MAX, ...wanted }, signal),
    [parameter, search],
  );
  return (
    <>
      <Head title="Posts" />
      <Form class="record-search" onSubmit={() => way === 'id' && openFirst('posts', firstItem)}>
        <SelectField
          label="Find by"
          value={way}
          options={WAYS}
          onChange={(by) => replaceQuery({ by: by === 'id' ? undefined : by, q: undefined })}
        />
        <SearchField way={way} value={typed} onChange={(q) => replaceQuery({ q })} />
      </Form>
      {is_words ? (
        <PostsWithWords words={search} />
      ) : (
        <Loaded resource={items}>
          {({ items: found }) => (found.length === 0 ? <Nothing search={search} /> : <Posts items={found} />)}
        </Loaded>
      )}
    </>
  );
}

async function firstItem(search: string): Promise<string | undefined> {
  return (await listItems({ search, limit: 1 })).items.at(0)?.item_id;
}

function SearchField(props: { way: Way; value: string; onChange: (value: string) => void }) {
  const { way, value, onChange } = props;
  const typed = { type: 'search', value, onChange } as const;
  const looked_up = { shown: value, is_free: true, onChoose: onChange };
  useUserNames(way === 'author' ? [value] : []);
  const name = value === '' || way !== 'author' ? undefined : knownName(value);
  // The look-ups have keys because each keeps the choices that it found.
  switch (way) {
    case 'author':
      return (
        <Field key={way} label="Author">
          <LookUp placeholder="Name or identifier" search={searchUsers} {...looked_up} />
          {name !== undefined && name !== value && (
            <small>{name === '' ? 'The service has not seen this user yet.' : name}</small>
          )}
        </Field>
      );
    case 'channel':
      return (
        <Field key={way} label="Channel">
          <LookUp placeholder="Name or address" search={searchChannels} {...looked_up} />
        </Field>
      );
    case 'words':
      return (
        <TextField
          label="Words of the text"
          help="Posts that have all of them, also as beginnings of words."
          {...typed}
        />
      );
    case 'id':
      return <TextField label="Start of the identifier" help="Enter opens the first." {...typed} />;
  }
}

/** Posts that were found. */
function Posts({ items }: { items: readonly ListedItem[] }) {
  return (
    <ol class="posts item-posts" aria-label="Posts found">
      {items.map((listed) => (
        <li key={listed.item_id}>
          <ItemPost listed={listed}>
            <a href={linkTo(['posts', listed.item_id])}>Details</a>
          </ItemPost>
        </li>
      ))}
    </ol>
  );
}

function Nothing({ search }: { search: string }) {
  if (search !== '') return <Empty title="No posts were found" />;
  return (
    <Empty title="There are no posts yet">
      <p>They appear when the service receives them.</p>
    </Empty>
  );
}

const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

/** Posts whose text has all the words, newest first. The service searches some thousand posts a request. */
function PostsWithWords({ words }: { words: string }) {
  const { entries, last, has_more, is_loading, error, more } = usePaged(
    async (cursor?: string, signal?: AbortSignal) => {
      const answer = await listItems({ text: words, cursor }, signal);
      return { ...answer, entries: answer.items };
    },
    [words],
  );
  const reached = last?.searched_to === undefined ? '' : ` back to ${DATE.format(last.searched_to * 1000)}`;
  const is_idle = !is_loading && error === undefined;
  return (
    <>
      <Posts items={entries} />
      {error !== undefined && <Failure error={error} retry={more} />}
      <p class="help" role="status">
        {is_loading && `Searching${reached}…`}
        {is_idle && (has_more ? `Searched${reached}.` : endText(entries.length))}
      </p>
      {has_more && is_idle && <Button onClick={more}>Search older posts</Button>}
    </>
  );
}

function endText(found: number): string {
  if (found === 0) return 'No post has all of these words.';
  return found === 1
    ? 'All posts were searched: one has these words.'
    : `All posts were searched: ${found} have these words.`;
}
