import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberInput, Select, TextInput } from '../../ui/inputs.tsx';
import { type SavedFeed, typeText } from '../feeds/feed.ts';
import type { Draft, DraftVariant } from './draft.ts';
import { percentText } from './experiment.ts';

const VARIANTS_MAX = 10;
/** Stands for the feed itself in the list of feeds. */
const ITSELF = '';

/** The variants of a new experiment: a name, a feed and a percent each. */
export function VariantRows(props: {
  feeds: readonly SavedFeed[];
  draft: Draft;
  faultAt: (path: string) => string | undefined;
  onChange: (row: number, changes: Partial<DraftVariant>) => void;
  onAdd: () => void;
  onRemove: (row: number) => void;
}) {
  const { feeds, draft, faultAt, onChange, onAdd, onRemove } = props;
  const { variants, feed_id } = draft;
  const endpoint = feeds.find(({ config_id }) => config_id === feed_id)?.endpoint ?? '';
  // Only feeds of one type answer the same requests.
  const options = feeds.filter(
    (feed) => feed.config_id !== feed_id && typeText(feed.endpoint) === typeText(endpoint),
  );
  const fault = faultAt('/variants');
  return (
    <fieldset class="variants">
      <legend>Variants</legend>
      {variants.map(({ row, name, percent, feed_id: variant_feed }, index) => (
        <fieldset class="variant" key={row} aria-label={index === 0 ? 'Control' : `Treatment ${index}`}>
          <Field
            label={index === 0 ? 'Name of the control' : 'Name'}
            error={faultAt(`/variants/${index}/name`)}
          >
            {(ids) => <TextInput ids={ids} value={name} onChange={(next) => onChange(row, { name: next })} />}
          </Field>
          <Field label="Shows" error={faultAt(`/variants/${index}/feed_id`)}>
            {(ids) => (
              <Select
                ids={ids}
                value={variant_feed ?? ITSELF}
                onChange={(next) => onChange(row, { feed_id: next === ITSELF ? undefined : next })}
                options={[
                  { value: ITSELF, text: 'the feed itself' },
                  ...options.map((feed) => ({
                    value: feed.config_id,
                    text: `${feed.name} (${feed.config_id})`,
                  })),
                ]}
              />
            )}
          </Field>
          <Field label="Percent" error={faultAt(`/variants/${index}/percent`)}>
            {(ids) => (
              <NumberInput
                {...{ ids, min: 0, max: 100, step: 'any' }}
                value={percent}
                onChange={(next) => onChange(row, { percent: next })}
              />
            )}
          </Field>
          {index > 1 && (
            <Button kind="quiet" icon="close" label={`Remove ${name}`} onClick={() => onRemove(row)} />
          )}
        </fieldset>
      ))}
      {fault !== undefined && (
        <p class="error" role="alert">
          {fault}
        </p>
      )}
      <div class="row">
        <RestText percents={variants.map((one) => one.percent ?? 0)} />
        {variants.length < VARIANTS_MAX && (
          <Button icon="plus" onClick={onAdd}>
            Add a variant
          </Button>
        )}
      </div>
    </fieldset>
  );
}

/** What happens to viewers who get no variant. */
export function RestText({ percents }: { percents: readonly number[] }) {
  const rest = 100 - percents.reduce((sum, percent) => sum + percent, 0);
  if (rest < 0) return <p class="error">The percents are above 100 together.</p>;
  if (rest === 0) return <p class="help">All viewers take part.</p>;
  return <p class="help">The other {percentText(rest)} get the feed unchanged and are not counted.</p>;
}
