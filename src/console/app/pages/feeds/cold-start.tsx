import { Field } from '../../ui/field.tsx';
import { objectOf, withKey } from './feed.ts';
import { below, useFault } from './inputs/form.ts';
import { ObjectFields } from './inputs/schema-field.tsx';
import { FeedInput } from './inputs/special.tsx';
import { helpOf, type Schema } from './schemas.ts';

/** The feed of newcomers. The API has a short and a long form for it, of which this writes the long one. */
export function ColdStart(props: {
  schema: Schema;
  config: Readonly<Record<string, unknown>>;
  onChange: (changes: { cold_start: unknown; cold_start_feed: undefined }) => void;
}) {
  const { schema, config, onChange } = props;
  const is_short = config.cold_start === undefined;
  const value = is_short ? { feed_id: config.cold_start_feed } : objectOf(config.cold_start);
  const path = '/config/cold_start';
  const fault = [useFault(below(path, 'feed_id')), useFault('/config/cold_start_feed'), useFault(path)].find(
    (message) => message !== undefined,
  );
  const change = (next: object): void => onChange({ cold_start: next, cold_start_feed: undefined });
  return (
    <>
      <Field label="Newcomers get" help={helpOf(schema)} error={fault}>
        <FeedInput
          value={value.feed_id}
          onChange={(id) =>
            id === undefined
              ? onChange({ cold_start: undefined, cold_start_feed: undefined })
              : change(withKey(value, 'feed_id', id))
          }
        />
      </Field>
      {value.feed_id !== undefined && (
        <ObjectFields
          schema={schema}
          value={value}
          except={['feed_id']}
          onChange={(next) => change(objectOf(next))}
          path={path}
        />
      )}
    </>
  );
}
