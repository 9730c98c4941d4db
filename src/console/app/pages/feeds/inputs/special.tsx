import type { ComponentType } from 'preact';
import { Refusal } from '../../../../../model/values/refusal.ts';
import { seconds } from '../../../../../model/values/time.ts';
import { feedOption } from '../../../ui/feeds.tsx';
import { searchLists } from '../../../ui/finders.ts';
import { NumberInput, Select, SelectField, useFieldIds } from '../../../ui/inputs.tsx';
import { listOf, objectOf } from '../feed.ts';
import { type Edited, useForm } from './form.ts';
import { Many, ManyUsers } from './many.tsx';
import { LabelsInput } from './slider-rows.tsx';

/** Inputs that know more than the schema of their values. They are found by the name of the field. */
export const SPECIAL: Readonly<Record<string, ComponentType<Edited>>> = {
  start_timestamp: AgeInput,
  end_timestamp: AgeInput,
  author_ids: AuthorsInput,
  remove_author_ids: AuthorsInput,
  ai_labels: LabelsInput,
  remove_ai_labels: LabelsInput,
  words: WordsInput,
  remove_words: WordsInput,
  geo_locations: PlacesInput,
  remove_geo_locations: PlacesInput,
  feed_id: FeedInput,
  fallback_feeds: FeedsInput,
};

const AGE = /^(days|hours)_ago:(\d+(?:\.\d+)?)$/;
const UNITS = [
  { value: 'days', text: 'days ago' },
  { value: 'hours', text: 'hours ago' },
  { value: 'date', text: 'on a date (UTC)' },
] as const;

type Unit = (typeof UNITS)[number]['value'];

/** A moment: some days or hours ago, or a date. */
function AgeInput({ value, onChange }: Edited) {
  const ids = useFieldIds();
  const found = AGE.exec(String(value));
  const unit: Unit = found === null ? 'date' : found[1] === 'hours' ? 'hours' : 'days';
  const count = found?.[2] ?? '';
  const choose = (next: Unit): void => {
    if (next === 'date') onChange('');
    else onChange(`${next}_ago:${count || (next === 'days' ? 7 : 24)}`);
  };
  return (
    <div class="row">
      {unit === 'date' ? (
        <input
          {...ids}
          type="datetime-local"
          value={dateText(value)}
          onInput={(event) => onChange(event.currentTarget.value && `${event.currentTarget.value}Z`)}
        />
      ) : (
        <NumberInput
          value={Number(count)}
          min={0}
          onChange={(number) => onChange(`${unit}_ago:${number ?? 0}`)}
        />
      )}
      <SelectField label="Unit" hidden_label value={unit} options={UNITS} onChange={choose} />
    </div>
  );
}

/** A moment as inputs of dates take it, in UTC; empty if it is none. */
function dateText(value: unknown): string {
  const at = seconds(value);
  return at instanceof Refusal ? '' : new Date(at * MS).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
}

const MS = 1_000;

const AUTHOR_FORMS = [
  { value: 'these', text: 'These authors' },
  { value: 'viewer', text: 'Authors whom the viewer follows' },
  { value: 'following', text: 'Authors whom one user follows' },
  { value: 'list', text: 'Authors on a list' },
] as const;

/** Some authors, those whom somebody follows, or those on a list: `following`, `following:<user>`, `list:<list_id>`. */
function AuthorsInput({ value, onChange }: Edited) {
  const [, named, id] = (typeof value === 'string' && /^(following|list):(.*)$/s.exec(value)) || [];
  const form = named === 'following' || named === 'list' ? named : value === 'following' ? 'viewer' : 'these';
  const begin = { these: [], viewer: 'following', following: 'following:', list: 'list:' };
  const one = {
    value: id ? [id] : [],
    onChange: (ids: readonly unknown[]) => onChange(`${named}:${ids.at(-1) ?? ''}`),
  };
  return (
    <div class="stack">
      <SelectField
        label="Which authors"
        hidden_label
        value={form}
        options={AUTHOR_FORMS}
        onChange={(next) => onChange(begin[next])}
      />
      {form === 'these' && <ManyUsers value={listOf(value)} onChange={onChange} />}
      {form === 'following' && <ManyUsers {...one} />}
      {form === 'list' && <Many {...one} name="lists" search={searchLists} placeholder="Find a list" />}
    </div>
  );
}

/** Words. Those of a list within the list, all of which must match, have a + between them. */
function WordsInput({ name, value, onChange }: Edited) {
  return (
    <Many
      name={name}
      value={listOf(value).map((entry) => (Array.isArray(entry) ? entry.join(' + ') : entry))}
      onChange={(texts) =>
        onChange(
          texts.map((text) => {
            const all = String(text).split(/\s\+\s/);
            return all.length > 1 ? all : text;
          }),
        )
      }
      placeholder="jazz, late night, synth*, #vinyl, vinyl + record*"
    />
  );
}

/** Places by latitude and longitude, in the form in which maps copy them. */
function PlacesInput({ name, value, onChange }: Edited) {
  return (
    <Many
      name={name}
      value={listOf(value)}
      onChange={onChange}
      of_places
      placeholder="Latitude, longitude: 34.05, -118.24"
    />
  );
}

export function FeedInput({ value, onChange }: Pick<Edited, 'value' | 'onChange'>) {
  const { feeds } = useForm();
  const chosen = String(value ?? '');
  const options = feeds.map(feedOption);
  const is_known = chosen === '' || options.some((option) => option.value === chosen);
  return (
    <Select
      value={chosen}
      onChange={(id) => onChange(id === '' ? undefined : id)}
      options={[
        { value: '', text: 'No feed' },
        ...options,
        ...(is_known ? [] : [{ value: chosen, text: `${chosen} (not found)` }]),
      ]}
    />
  );
}

function FeedsInput({ schema, value, onChange }: Edited) {
  const { feeds } = useForm();
  const chosen = listOf(value).map((entry) => String(objectOf(entry).feed_id));
  const nameOf = (id: string): string => feeds.find(({ config_id }) => config_id === id)?.name ?? id;
  const change = (next: readonly unknown[]): void =>
    onChange(next.length === 0 ? undefined : next.map((feed_id) => ({ feed_id })));
  return (
    <Many
      name="feeds"
      value={chosen}
      onChange={change}
      max={schema.maxItems}
      textOf={nameOf}
      placeholder="Find a feed"
      search={async (typed) =>
        feeds
          .filter(({ name }) => name.toLowerCase().includes(typed.toLowerCase()))
          .map(({ config_id, name }) => ({ value: config_id, text: name, note: config_id }))
      }
    />
  );
}
