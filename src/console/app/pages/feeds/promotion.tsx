import { SelectField } from '../../ui/inputs.tsx';
import { listOf, objectOf, withKey } from './feed.ts';
import { below, type Edited, useFault, useForm } from './inputs/form.ts';
import { SchemaField } from './inputs/schema-field.tsx';
import { NamedSet } from './named-set.tsx';
import { PinnedItems } from './pinned-items.tsx';
import { initialOf, type Schema, summaryOf } from './schemas.ts';

/** Texts for the strategies that every service has. */
const TYPE_TEXTS: Readonly<Record<string, string>> = {
  feed: 'Mix in posts of another feed',
  items: 'Pin hand-picked posts',
};

/** The promotion of a feed: the API takes a list of at most one. */
export function Promotion({ schema, value, onChange, path }: Edited) {
  const { forms } = useForm();
  const properties = schema.items?.properties ?? {};
  const promotion = objectOf(listOf(value)[0]);
  const type = typeof promotion.promotion_type === 'string' ? promotion.promotion_type : '';
  const place = below(path, 0);
  const fault = useFault(path, place);
  const types = (properties.promotion_type?.enum ?? []).map(String);
  const set = (next: Record<string, unknown>): void => onChange([next]);
  return (
    <>
      <SelectField
        label="Promotion"
        error={fault}
        help={type && summaryOf(forms, 'promotion_strategies', type)}
        value={type}
        options={[
          { value: '', text: 'None' },
          ...types.map((id) => ({ value: id, text: TYPE_TEXTS[id] ?? id })),
        ]}
        onChange={(next) => (next === '' ? onChange(undefined) : set(begun(next, promotion, properties)))}
      />
      {type !== '' && (
        <div class="fields">
          <SchemaField
            name="promotion_name"
            label="Name on promoted posts"
            help=""
            schema={properties.promotion_name ?? {}}
            value={promotion.promotion_name}
            onChange={(name) => set({ ...promotion, promotion_name: name ?? '' })}
            path={below(place, 'promotion_name')}
            required
          />
          <Details {...{ type, promotion, properties, set, place }} />
        </div>
      )}
    </>
  );
}

function begun(
  type: string,
  { promotion_name = 'promoted' }: Record<string, unknown>,
  properties: Readonly<Record<string, Schema>>,
): Record<string, unknown> {
  const start = { promotion_type: type, promotion_name };
  if (type === 'feed') return { ...start, percent: 30 };
  if (type === 'items') return { ...start, promoted_items: [{ item_id: '', rank: 1 }] };
  return { ...start, ...(properties.options && { options: {} }) };
}

function Details(props: {
  type: string;
  promotion: Record<string, unknown>;
  properties: Readonly<Record<string, Schema>>;
  set: (next: Record<string, unknown>) => void;
  place: string;
}) {
  const { type, promotion, properties, set, place } = props;
  const { forms } = useForm();
  const edited = (name: string): Edited => ({
    name,
    schema: properties[name] ?? {},
    value: promotion[name],
    onChange: (next) => set(withKey(promotion, name, next)),
    path: below(place, name),
  });
  if (type === 'items') return <PinnedItems {...edited('promoted_items')} />;
  if (type === 'feed')
    return (
      <>
        <SchemaField {...edited('percent')} label="Percent of the page" help="" required />
        <SchemaField
          {...edited('feed_id')}
          label="From the feed"
          help="Or from all posts that pass the filters below."
        />
        <NamedSet {...edited('filters')} kind="filters" noun="filter of promoted posts" />
      </>
    );
  const plugin = forms.plugins.find(({ kind, id }) => kind === 'promotion_strategies' && id === type);
  const schema = plugin?.options ?? {};
  const value = promotion.options ?? initialOf(schema);
  return <SchemaField {...edited('options')} help="" schema={schema} value={value} />;
}
