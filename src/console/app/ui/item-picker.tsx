import type { ListedItem } from '../../../../openapi/client/src/index.ts';
import { api } from '../session.ts';
import { Field } from './field.tsx';
import { LookUp } from './look-up.tsx';
import type { Choice } from './look-up-state.ts';
import { storedLine } from './post.tsx';
import { findUsers, nameOfUser } from './users.ts';

const ITEMS_COUNT = 10;
/** Of so many authors whose name fits, the newest items are offered. */
const AUTHORS_COUNT = 2;

async function itemsBy(
  query: { search?: string; author_id?: string; text?: string },
  signal: AbortSignal,
): Promise<ListedItem[]> {
  const answer = await api().call('GET', '/v2/{network}/items', {
    query: { ...query, limit: ITEMS_COUNT },
    signal,
  });
  return 'items' in answer ? answer.items : [];
}

/** What the API takes as words of a text. */
const WORDS_MAX = 10;
const WORD_LENGTH_MAX = 50;

/**
 * Items by the start of their identifier, then the newest items of authors by the start of their name. If there are
 * none, items by the words of their text, among as many of the newest as one request searches.
 */
async function findItems(typed: string, signal: AbortSignal): Promise<Choice[]> {
  if (typed === '') return choicesOf(await itemsBy({}, signal));
  const [by_id, authors] = await Promise.all([
    itemsBy({ search: typed }, signal),
    findUsers(typed, AUTHORS_COUNT, signal),
  ]);
  const by_author = await Promise.all(
    authors.map(async (author) => {
      const items = await itemsBy({ author_id: author.user_id }, signal);
      return choicesOf(items, nameOfUser(author));
    }),
  );
  const found = [...choicesOf(by_id), ...by_author.flat()];
  if (found.length === 0) {
    const words = typed.split(/\s+/).slice(0, WORDS_MAX);
    const text = words.map((word) => word.slice(0, WORD_LENGTH_MAX)).join(' ');
    return choicesOf(await itemsBy({ text }, signal));
  }
  return found.filter(({ value }, at) => found.findIndex((other) => other.value === value) === at);
}

function choicesOf(items: readonly ListedItem[], author?: string): Choice[] {
  return items.map(({ item_id, hidden, item }) => ({
    value: item_id,
    text: storedLine(item) ?? item_id,
    note: [author, item_id, hidden ? 'hidden' : ''].filter(Boolean).join(' · '),
  }));
}

/** Chooses an item. @param item_id empty: none yet */
export function ItemPicker({ item_id, onChoose }: { item_id: string; onChoose: (item_id: string) => void }) {
  return (
    <Field label="Post" help="Its id, words of its text, or the name of its author.">
      <LookUp
        placeholder="0x…, words or a name"
        shown={item_id}
        search={findItems}
        free={(typed) => typed}
        drops_typed
        onChoose={onChoose}
      />
    </Field>
  );
}
