import { useState } from 'preact/hooks';
import type { StoredUser } from '../../../../../openapi/client/src/index.ts';
import { linkTo } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { useUserNames } from '../../ui/users.ts';

/** As many as get their names at a time. */
const SHOWN = 24;

export function Follows({ user: { follows, counts } }: { user: StoredUser }) {
  const [shown, setShown] = useState(SHOWN);
  const nameOf = useUserNames(follows.slice(0, shown));
  return (
    <section aria-label="Follows">
      <h2>Follows</h2>
      {follows.length === 0 && <p class="help">This viewer follows no one.</p>}
      <ul class="people">
        {follows.slice(0, shown).map((id) => (
          <li key={id}>
            <a href={linkTo(['viewers', id])}>{nameOf(id)}</a>
          </li>
        ))}
      </ul>
      {shown < follows.length && <Button onClick={() => setShown(shown + SHOWN)}>Show more</Button>}
      {follows.length < counts.following && shown >= follows.length && (
        <p class="help">The export has the others.</p>
      )}
    </section>
  );
}
