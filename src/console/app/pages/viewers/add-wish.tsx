import { useSignal } from '@preact/signals';
import { nowSeconds } from '../../clock.ts';
import { textOf } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { type Search, searchChannels, searchFor } from '../../ui/finders.ts';
import { Form } from '../../ui/form.tsx';
import { Field, SelectField, TextInput } from '../../ui/inputs.tsx';
import { LookUp } from '../../ui/look-up.tsx';
import { choicesTaken } from '../../ui/look-up-state.ts';
import { searchUsers, useUserNames } from '../../ui/users.ts';
import { LISTS, type Wish } from './wishes.ts';

const DAY = 86_400;

/** Undefined: the values are typed only. */
const SEARCHES: Readonly<Record<Wish['kind'], Search | undefined>> = {
  word: undefined,
  author: searchUsers,
  channel: searchChannels,
  label: searchFor('ai_labels'),
};

interface Draft extends Pick<Wish, 'list' | 'kind' | 'value'> {
  /** `0`: forever. */
  days: string;
}

function optionsOf<T extends string>(texts: Readonly<Record<T, string>>) {
  return (Object.keys(texts) as T[]).map((value) => ({ value, text: texts[value] }));
}

const OPTIONS = {
  list: optionsOf(LISTS),
  kind: optionsOf({ word: 'word', author: 'author', channel: 'channel', label: 'label' }),
  days: optionsOf<string>({ 0: 'always', 1: 'for a day', 7: 'for a week', 30: 'for 30 days' }),
};

/** The form that adds an entry to preferences. What is wrong with a value stands at its field. */
export function AddWish({ onAdd }: { onAdd: (wish: Wish) => Promise<void> }) {
  const draft = useSignal<Draft>({ list: 'muted', kind: 'word', days: '0', value: '' });
  const error = useSignal<string>();
  const { kind, value } = draft.value;
  const nameOf = useUserNames(kind === 'author' ? [value] : []);
  const search = SEARCHES[kind];
  const change = (changes: Partial<Draft>): void => {
    draft.value = { ...draft.value, ...changes };
    error.value = undefined;
  };
  const add = async (): Promise<void> => {
    await choicesTaken();
    const { days, ...given } = draft.value;
    const wanted = { ...given, value: given.value.trim() };
    if (wanted.value === '') return;
    const until = days !== '0' && { until: Math.floor(nowSeconds()) + Number(days) * DAY };
    try {
      await onAdd({ ...wanted, ...until });
      // The next one may be typed already.
      if (draft.value.value === given.value) change({ value: '' });
    } catch (reason) {
      error.value = textOf(reason);
    }
  };
  const choose = (next: string): void => change({ value: next });
  return (
    <Form class="record-search" onSubmit={() => void add()}>
      <SelectField
        label="List"
        hidden_label
        value={draft.value.list}
        options={OPTIONS.list}
        onChange={(list) => change({ list })}
      />
      <SelectField
        label="Kind"
        hidden_label
        value={kind}
        options={OPTIONS.kind}
        onChange={(next) => change({ kind: next, value: '' })}
      />
      <SelectField
        label="How long"
        hidden_label
        value={draft.value.days}
        options={OPTIONS.days}
        onChange={(days) => change({ days })}
      />
      <Field label={`Which ${kind}`} hidden_label error={error.value}>
        {search === undefined ? (
          <TextInput placeholder="late night, synth*, #vinyl" value={value} onChange={choose} />
        ) : (
          <LookUp key={kind} {...{ search }} is_free shown={nameOf(value)} onChoose={choose} />
        )}
      </Field>
      <Button icon="plus" type="submit">
        Add
      </Button>
    </Form>
  );
}
