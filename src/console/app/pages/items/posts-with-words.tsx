import { api } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { usePaged } from '../../ui/paged.ts';
import { Failure } from '../../ui/states.tsx';
import { Posts } from './posts.tsx';

const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

/** Posts whose text has all the words, newest first. The service searches some thousand posts a request. */
export function PostsWithWords({ words }: { words: string }) {
  const { entries, cursor, searched_to, is_loading, error, more } = usePaged(
    async (after, signal) => {
      const query = { text: words, ...(after === undefined ? {} : { cursor: after }) };
      const answer = await api().call('GET', '/v2/{network}/items', { query, signal });
      return 'items' in answer ? { ...answer, entries: answer.items } : { entries: [] };
    },
    [words],
  );
  const reached = searched_to === undefined ? '' : ` back to ${DATE.format(searched_to * 1000)}`;
  return (
    <>
      <Posts items={entries} />
      {error !== undefined && <Failure error={error} retry={more} />}
      <p class="help" role="status">
        {is_loading && `Searching${reached}…`}
        {!is_loading &&
          error === undefined &&
          (cursor === undefined ? endText(entries.length) : `Searched${reached}.`)}
      </p>
      {cursor !== undefined && !is_loading && error === undefined && (
        <Button onClick={more}>Search older posts</Button>
      )}
    </>
  );
}

function endText(found: number): string {
  if (found === 0) return 'No post has all of these words.';
  return found === 1
    ? 'All posts were searched: one has these words.'
    : `All posts were searched: ${found} have these words.`;
}
