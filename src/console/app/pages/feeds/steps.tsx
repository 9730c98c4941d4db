import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Field } from '../../ui/field.tsx';
import { type Config, objectOf, withKey } from './feed.ts';
import { FoldedFields } from './inputs/folded.tsx';
import { below, useFault, useForm } from './inputs/form.ts';
import { ObjectFields, SchemaField } from './inputs/schema-field.tsx';
import { FeedInput } from './inputs/special.tsx';
import { NamedSet } from './named-set.tsx';
import { Promotion } from './promotion.tsx';
import { helpOf, type Schema } from './schemas.ts';
import { Scoring } from './scoring.tsx';

/** The feed of newcomers. The API has a short and a long form for it, of which this writes the long one. */
function ColdStart(props: {
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
          name="cold_start"
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

interface Step {
  title: string;
  help: string;
  parameters: readonly string[];
}

/** The steps in which a page is made, and the parameters of each. */
const STEPS: readonly Step[] = [
  {
    title: 'Candidates',
    help: 'Which posts the feed may show. All filters must hold.',
    parameters: ['filters', 'cold_start', 'cold_start_feed'],
  },
  {
    title: 'Ranking',
    help: 'In which order the posts stand.',
    parameters: ['scoring', 'time_decay', 'candidate_limit'],
  },
  {
    title: 'Visibility',
    help: 'What this viewer does not see. Posts that the viewer hid, and posts of blocked users, are always left out.',
    parameters: [
      'seen',
      'show_interacted_items',
      'remove_user_posts_from_feed',
      'return_only_posts_with_social_proof',
      'visibility_rules',
    ],
  },
  {
    title: 'Mixing',
    help: 'How the page is put together, and what follows when the posts run out.',
    parameters: ['feed_diversity_config', 'promotion_filters', 'fallback_feeds', 'return_global_fallback'],
  },
];

/** The form of all parameters that a feed type has. A parameter of no step is in the last part. */
export function Steps(props: { endpoint: string; config: Config; onChange: (config: Config) => void }) {
  const { endpoint, config, onChange } = props;
  const { forms } = useForm();
  const parameters = forms.parametersOf(endpoint);
  const in_steps = new Set(STEPS.flatMap((step) => step.parameters));
  const others = Object.keys(parameters).filter((name) => !in_steps.has(name));
  const fields = (names: readonly string[]) => (
    <FoldedFields
      of="config"
      names={names.filter((name) => parameters[name] !== undefined)}
      values={config}
      path="/config"
      field={(name) => <Parameter key={name} {...{ name, config, onChange }} schema={parameters[name]} />}
    />
  );
  return (
    <>
      {STEPS.map(({ title, help, parameters: names }, index) => (
        <Card key={title} title={`${index + 1}. ${title}`} help={help} is_step>
          {fields(names)}
        </Card>
      ))}
      {others.length > 0 && (
        <Card title="Page" help="What the feed answers, unless a request asks for something else.">
          {fields(others)}
        </Card>
      )}
    </>
  );
}

/** Scrolls to a step, or to the preview where it is below them. */
export function StepLinks() {
  return (
    <div class="step-links">
      <button
        type="button"
        class="to-preview"
        onClick={() => document.querySelector('.editor > .beside')?.scrollIntoView()}
      >
        Preview
      </button>
      {STEPS.map(({ title }, index) => (
        <button
          key={title}
          type="button"
          onClick={() => document.querySelectorAll('.card[data-step]')[index]?.scrollIntoView()}
        >
          {title}
        </button>
      ))}
    </div>
  );
}

export function Card(props: {
  title: string;
  help?: string;
  is_step?: boolean;
  children: ComponentChildren;
}) {
  const { title, help, is_step, children } = props;
  const id = useId();
  return (
    <section class="card" data-step={is_step} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {help && <p class="help">{help}</p>}
      </header>
      {children}
    </section>
  );
}

function Parameter(props: {
  name: string;
  schema: Schema;
  config: Config;
  onChange: (config: Config) => void;
}) {
  const { name, schema, config, onChange } = props;
  const edited = {
    ...{ name, schema },
    value: config[name],
    onChange: (value: unknown) => onChange(withKey(config, name, emptied(value))),
    path: below('/config', name),
  };
  switch (name) {
    case 'filters':
      return <NamedSet kind="filters" noun="filter" {...edited} />;
    case 'visibility_rules':
      if (Object.keys(schema.properties ?? {}).length === 0 && config[name] === undefined) return null;
      return <NamedSet kind="visibility_rules" noun="rule" {...edited} />;
    case 'scoring':
      return <Scoring {...edited} />;
    case 'promotion_filters':
      return <Promotion {...edited} />;
    case 'cold_start':
      return (
        <ColdStart
          {...{ schema, config }}
          onChange={(changes) =>
            onChange(
              Object.entries(changes).reduce<Config>((all, [key, value]) => withKey(all, key, value), config),
            )
          }
        />
      );
    case 'cold_start_feed':
      return null;
    default:
      return <SchemaField {...edited} />;
  }
}

/** An object whose fields were all emptied is not set. */
function emptied(value: unknown): unknown {
  const is_object = typeof value === 'object' && value !== null && !Array.isArray(value);
  return is_object && Object.keys(objectOf(value)).length === 0 ? undefined : value;
}
