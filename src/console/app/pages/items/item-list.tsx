import type { ListedItem } from '../../../../../openapi/client/src/index.ts';
import { place, replaceQuery } from '../../router.ts';
import { api } from '../../session.ts';
import { ChannelInput } from '../../ui/channel-input.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Select, TextInput } from '../../ui/inputs.tsx';
import { openFirst } from '../../ui/open-first.ts';
import { useResource, useSettled } from '../../ui/resource.ts';
import { Empty, Loaded } from '../../ui/states.tsx';
import { UserInput } from '../../ui/user-input.tsx';
import { Posts } from './posts.tsx';
import { PostsWithWords } from './posts-with-words.tsx';

const FOUND_MAX = 25;
const TYPING_MS = 120;

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
  const search = useSettled(typed.trim(), TYPING_MS);
  const words = parameter === undefined ? search : '';
  const items = useResource(
    words === ''
      ? (signal) => itemsBy(search === '' || parameter === undefined ? {} : { [parameter]: search }, signal)
      : undefined,
    [parameter, search],
  );
  return (
    <>
      <div class="head">
        <h1>Posts</h1>
      </div>
      <Form
        class="record-search"
        onSubmit={() => {
          if (way === 'id') void openFirst('posts', firstItem);
        }}
      >
        <Field label="Find by">
          <Select
            value={way}
            options={WAYS}
            onChange={(by) => replaceQuery({ by: by === 'id' ? undefined : by, q: undefined })}
          />
        </Field>
        <SearchField
          way={way}
          value={typed}
          onChange={(q) => replaceQuery({ q: q === '' ? undefined : q })}
        />
      </Form>
      {words === '' ? (
        <Loaded resource={items}>
          {(found) => (found.length === 0 ? <Nothing search={search} /> : <Posts items={found} />)}
        </Loaded>
      ) : (
        <PostsWithWords words={words} />
      )}
    </>
  );
}

async function firstItem(search: string): Promise<string | undefined> {
  return (await itemsBy({ search, limit: 1 })).at(0)?.item_id;
}

async function itemsBy(
  query: { search?: string; author_id?: string; channel?: string; limit?: number },
  signal?: AbortSignal,
): Promise<ListedItem[]> {
  const answer = await api().call('GET', '/v2/{network}/items', {
    query: { limit: FOUND_MAX, ...query },
    signal,
  });
  return 'items' in answer ? answer.items : [];
}

function SearchField(props: { way: Way; value: string; onChange: (value: string) => void }) {
  const { way, value, onChange } = props;
  if (way === 'author') {
    return (
      <Field label="Author">
        <UserInput value={value} onChange={onChange} />
      </Field>
    );
  }
  if (way === 'channel') {
    return (
      <Field label="Channel">
        <ChannelInput value={value} onChange={onChange} />
      </Field>
    );
  }
  if (way === 'words') {
    return (
      <Field label="Words of the text" help="Posts that have all of them, also as beginnings of words.">
        <TextInput type="search" value={value} onChange={onChange} />
      </Field>
    );
  }
  return (
    <Field label="Start of the identifier" help="Enter opens the first.">
      <TextInput type="search" value={value} onChange={onChange} />
    </Field>
  );
}

function Nothing({ search }: { search: string }) {
  if (search === '') {
    return (
      <Empty title="There are no posts yet">
        <p>They appear when the service receives them.</p>
      </Empty>
    );
  }
  return <Empty title="No posts were found" />;
}
