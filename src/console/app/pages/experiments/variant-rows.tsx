import { LIMITS } from '../../../../limits.ts';
import { Button } from '../../ui/button.tsx';
import { feedOption, type SavedFeed, typeOf } from '../../ui/feeds.tsx';
import { ErrorText, NumberField, SelectField, TextField } from '../../ui/inputs.tsx';
import { sum } from '../../ui/texts.ts';
import type { DraftForm, DraftVariant } from './draft.ts';
import { percentText } from './experiment.ts';

/** Stands for the feed itself in the list of feeds. */
const ITSELF = '';

/** The range of a percent. */
export const PERCENT = { min: 0, max: 100, step: 'any' } as const;

/** The variants of a new experiment: a name, a feed and a percent each. */
export function VariantRows({ feeds, form }: { feeds: readonly SavedFeed[]; form: DraftForm }) {
  const { draft, faultAt, addVariant } = form;
  const { variants, feed_id } = draft;
  const type = typeOf(feeds.find(({ config_id }) => config_id === feed_id)?.endpoint ?? '');
  // Only feeds of one type answer the same requests.
  const others = feeds.filter((feed) => feed.config_id !== feed_id && typeOf(feed.endpoint) === type);
  const shown = new Set(variants.map((one) => one.feed_id ?? feed_id));
  return (
    <fieldset class="variants">
      <legend>Variants</legend>
      {variants.map((variant, index) => (
        <VariantRow key={variant.row} {...{ variant, index, others, form }} />
      ))}
      {shown.size === 1 && (
        <p class="help" role="status">
          All variants show the same feed, so there is nothing to compare. Choose the feed to try.
        </p>
      )}
      {draft.method === 'split' ? (
        <div class="row">
          <RestText percents={variants.map((one) => one.percent ?? 0)} fault={faultAt('/variants')} />
          {variants.length < LIMITS.experiment_variants_max && (
            <Button icon="plus" onClick={addVariant}>
              Add a variant
            </Button>
          )}
        </div>
      ) : (
        <ErrorText text={faultAt('/variants')} />
      )}
    </fieldset>
  );
}

/** @param others feeds that it can show instead of the feed itself */
function VariantRow(props: {
  variant: DraftVariant;
  index: number;
  others: readonly SavedFeed[];
  form: DraftForm;
}) {
  const { variant, index, others, form } = props;
  const { row, name, percent, feed_id } = variant;
  const label = index === 0 ? 'Control' : `Treatment ${index}`;
  const of = <K extends 'name' | 'feed_id' | 'percent'>(key: K) => ({
    error: form.faultAt(`/variants/${index}/${key}`),
    onChange: (value: DraftVariant[K]) => form.changeVariant(row, { [key]: value }),
  });
  const shows = of('feed_id');
  return (
    <fieldset class="variant" aria-label={label}>
      <TextField label={index === 0 ? 'Name of the control' : 'Name'} value={name} {...of('name')} />
      <SelectField
        label="Shows"
        error={shows.error}
        value={feed_id ?? ITSELF}
        onChange={(next) => shows.onChange(next === ITSELF ? undefined : next)}
        options={[{ value: ITSELF, text: 'the feed itself' }, ...others.map(feedOption)]}
      />
      {form.draft.method === 'split' && (
        <NumberField label="Percent" value={percent} {...PERCENT} {...of('percent')} />
      )}
      {index > 1 && (
        <Button kind="quiet" icon="close" label={`Remove ${name}`} onClick={() => form.removeVariant(row)} />
      )}
    </fieldset>
  );
}

/** What happens to viewers who get no variant. @param fault what the service refused, shown instead */
export function RestText({ percents, fault }: { percents: readonly number[]; fault: string | undefined }) {
  if (fault !== undefined) return <ErrorText text={fault} />;
  const rest = 100 - sum(percents);
  if (rest < 0) return <p class="error">The percents are above 100 together.</p>;
  if (rest === 0) return <p class="help">All viewers take part.</p>;
  return <p class="help">The other {percentText(rest)} get the feed unchanged and are not counted.</p>;
}
