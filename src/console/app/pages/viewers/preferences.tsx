import type { StoredPreferences } from '../../../../../openapi/client/src/index.ts';
import { nowSeconds } from '../../clock.ts';
import { linkTo } from '../../router.ts';
import { may } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { Switch } from '../../ui/inputs.tsx';
import { Section } from '../../ui/layout.tsx';
import { useAnswer } from '../../ui/resource.ts';
import { Loaded, useSteps } from '../../ui/states.tsx';
import { channelName } from '../../ui/texts.ts';
import { Ago } from '../../ui/time.tsx';
import { attempt, tell } from '../../ui/toast.tsx';
import { useUserNames } from '../../ui/users.ts';
import { AddWish } from './add-wish.tsx';
import { LISTS, patchPreferences, setWish, type Wish, wishesOf } from './wishes.ts';

/** What a viewer wants to get, and what not. Keys that may not change it see it only. */
export function PreferencesOf({ user_id }: { user_id: string }) {
  return (
    <Section title="Preferences">
      {may('feed:read') ? (
        <Known user_id={user_id} />
      ) : (
        <p class="help">Your key cannot read them: it does not have the scope feed:read.</p>
      )}
    </Section>
  );
}

function Known({ user_id }: { user_id: string }) {
  const preferences = useAnswer('/v2/{network}/users/preferences', { query: { user_id } });
  const { reload } = preferences;
  const is_editable = may('ingest:write');
  const personalise = async (personalised: boolean): Promise<void> => {
    await patchPreferences(user_id, { personalised }).finally(reload);
    tell(personalised ? 'Pages use what they did.' : 'Pages no longer use what they did.');
  };
  const set = async (wish: Wish, is_wanted: boolean): Promise<void> => {
    const former = await setWish(user_id, wish, is_wanted).finally(reload);
    tell(`${LISTS[wish.list]}: ${is_wanted ? 'added' : 'removed'} ${wish.value}`, () =>
      attempt(() => set(former ?? wish, former !== undefined)),
    );
  };
  return (
    <Loaded resource={preferences}>
      {(stored) => (
        <>
          <Switch
            text="Pages use what they did"
            value={stored.personalised !== false}
            disabled={!is_editable}
            onChange={(next) => attempt(() => personalise(next))}
          />
          <Wishes
            preferences={stored}
            onRemove={is_editable ? (wish) => attempt(() => set(wish, false)) : undefined}
          />
          {is_editable && <AddWish onAdd={(wish) => set(wish, true)} />}
        </>
      )}
    </Loaded>
  );
}

/** As many entries as are shown at a time. */
const SHOWN = 24;

/** @param onRemove undefined: they are seen only */
function Wishes(props: { preferences: StoredPreferences; onRemove?: (wish: Wish) => void }) {
  const { preferences, onRemove } = props;
  const { shown, more } = useSteps(wishesOf(preferences), SHOWN);
  const nameOf = useUserNames(shown.filter(({ kind }) => kind === 'author').map(({ value }) => value));
  if (shown.length === 0) return <p class="help">Nothing is muted, or wanted more or less.</p>;
  return (
    <>
      <ul class="wishes">
        {shown.map((wish) => (
          <li key={`${wish.list} ${wish.kind} ${wish.value}`}>
            <span class="badge">{LISTS[wish.list]}</span>
            <span>
              {wish.kind} <Value wish={wish} nameOf={nameOf} />
              {wish.until !== undefined && (
                <small>
                  {' '}
                  {wish.until > nowSeconds() ? 'ends' : 'ended'} <Ago at={wish.until} />
                </small>
              )}
            </span>
            {onRemove && (
              <Button
                kind="quiet"
                icon="close"
                label={`Remove ${wish.kind} ${wish.value} from ${LISTS[wish.list]}`}
                onClick={() => onRemove(wish)}
              />
            )}
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}

function Value({ wish: { kind, value }, nameOf }: { wish: Wish; nameOf: (id: string) => string }) {
  if (kind === 'author') return <a href={linkTo(['viewers', value])}>{nameOf(value)}</a>;
  if (kind !== 'channel') return <strong>{value}</strong>;
  return <a href={linkTo(['posts'], { by: 'channel', q: value })}>{channelName(value)}</a>;
}
