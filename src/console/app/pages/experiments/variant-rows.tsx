import { Button } from '../../ui/button.tsx';
import { ErrorText } from '../../ui/error-text.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberInput, Select, TextInput } from '../../ui/inputs.tsx';
import { type SavedFeed, typeText } from '../feeds/feed.ts';
import type { Draft, DraftVariant } from './draft.ts';
import { percentText } from './experiment.ts';

const VARIANTS_MAX = 10;
/** Stands for the feed itself in the list of feeds. */
const ITSELF = '';

type Change = (row: number, changes: Partial<DraftVariant>) => void;
type FaultAt = (path: string) => string | undefined;

/** The variants of a new experiment: a name, a feed and a percent each. */
export function VariantRows(props: {
  feeds: readonly SavedFeed[];
  draft: Draft;
  faultAt: FaultAt;
  onChange: Change;
  onAdd: () => void;
  onRemove: (row: number) => void;
}) {
  const { feeds, draft, faultAt, onChange, onAdd, onRemove } = props;
  const { variants, feed_id } = draft;
  const endpoint = feeds.find(({ config_id }) => config_id === feed_id)?.endpoint ?? '';
  // Only feeds of one type answer the same requests.
  const others = feeds.filter(
    (feed) => feed.config_id !== feed_id && typeText(feed.endpoint) === typeText(endpoint),
  );
  const shown = new Set(variants.map((one) => one.feed_id ?? feed_id));
  return (
    <fieldset class="variants">
      <legend>Variants</legend>
      {variants.map((variant, index) => (
        <VariantRow
          key={variant.row}
          {...{ variant, index, others, faultAt, onChange }}
          onRemove={() => onRemove(variant.row)}
        />
      ))}
      {shown.size === 1 && (
        <p class="help" role="status">
          All variants show the same feed, so there is nothing to compare. Choose the feed to try.
        </p>
      )}
      <div class="row">
        <RestText percents={variants.map((one) => one.percent ?? 0)} fault={faultAt('/variants')} />
        {variants.length < VARIANTS_MAX && (
          <Button icon="plus" onClick={onAdd}>
            Add a variant
          </Button>
        )}
      </div>
    </fieldset>
  );
}

/** @param others feeds that it can show instead of the feed itself */
function VariantRow(props: {
  variant: DraftVariant;
  index: number;
  others: readonly SavedFeed[];
  faultAt: FaultAt;
  onChange: Change;
  onRemove: () => void;
}) {
  const { variant, index, others, faultAt, onChange, onRemove } = props;
  const { row, name, percent, feed_id } = variant;
  const path = `/variants/${index}`;
  const label = index === 0 ? 'Control' : `Treatment ${index}`;
  return (
    <fieldset class="variant" aria-label={label}>
      <Field label={index === 0 ? 'Name of the control' : 'Name'} error={faultAt(`${path}/name`)}>
        <TextInput value={name} onChange={(next) => onChange(row, { name: next })} />
      </Field>
      <Field label="Shows" error={faultAt(`${path}/feed_id`)}>
        <Select
          value={feed_id ?? ITSELF}
          onChange={(next) => onChange(row, { feed_id: next === ITSELF ? undefined : next })}
          options={[
            { value: ITSELF, text: 'the feed itself' },
            ...others.map((feed) => ({ value: feed.config_id, text: `${feed.name} (${feed.config_id})` })),
          ]}
        />
      </Field>
      <Field label="Percent" error={faultAt(`${path}/percent`)}>
        <NumberInput
          {...{ min: 0, max: 100, step: 'any' }}
          value={percent}
          onChange={(next) => onChange(row, { percent: next })}
        />
      </Field>
      {index > 1 && <Button kind="quiet" icon="close" label={`Remove ${name}`} onClick={onRemove} />}
    </fieldset>
  );
}

/** What happens to viewers who get no variant. @param fault what the service refused, shown instead */
export function RestText({ percents, fault }: { percents: readonly number[]; fault: string | undefined }) {
  if (fault !== undefined) return <ErrorText text={fault} />;
  const rest = 100 - percents.reduce((sum, percent) => sum + percent, 0);
  if (rest < 0) return <p class="error">The percents are above 100 together.</p>;
  if (rest === 0) return <p class="help">All viewers take part.</p>;
  return <p class="help">The other {percentText(rest)} get the feed unchanged and are not counted.</p>;
}
