import { useState } from 'preact/hooks';
import { linkTo } from '../../router.ts';
import { api } from '../../session.ts';
import { ACTS, type Act } from '../../ui/acts.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/inputs.tsx';
import { usePaged } from '../../ui/paged.ts';
import { Failure, Loading } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';
import { useUserNames } from '../../ui/users.ts';

const TYPES = (Object.keys(ACTS) as Act[]).map((value) => ({ value, text: ACTS[value] }));

/** Who liked a post, or acted on it in another way, the latest first. */
export function WhoActed({ item_id }: { item_id: string }) {
  const [event_type, setType] = useState<Act>('like');
  const { entries, cursor, is_loading, error, more } = usePaged(
    async (after, signal) => {
      const query = { item_id, event_type, ...(after === undefined ? {} : { cursor: after }) };
      const answer = await api().call('GET', '/v2/{network}/items/interactions', { query, signal });
      return { ...answer, entries: answer.interactions };
    },
    [item_id, event_type],
  );
  const nameOf = useUserNames(entries.map(({ user_id }) => user_id));
  return (
    <section aria-label="Who acted on it" class="over-time">
      <div class="head">
        <h2>Who acted on it</h2>
        <Field label="Act" hidden_label>
          <Select value={event_type} options={TYPES} onChange={setType} />
        </Field>
      </div>
      {entries.length > 0 && (
        <ol class="item-lines">
          {entries.map(({ user_id, timestamp }, at) => (
            <li key={at}>
              <a href={linkTo(['viewers', user_id])}>{nameOf(user_id)}</a>
              <small>
                <Ago at={timestamp} />
              </small>
            </li>
          ))}
        </ol>
      )}
      {error !== undefined && <Failure error={error} retry={more} />}
      {is_loading && entries.length === 0 && <Loading lines={2} />}
      {!is_loading && error === undefined && entries.length === 0 && <p class="help">No one so far.</p>}
      {cursor !== undefined && !is_loading && error === undefined && (
        <Button onClick={more}>Show more</Button>
      )}
    </section>
  );
}
