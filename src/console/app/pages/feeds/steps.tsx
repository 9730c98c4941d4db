import type { ComponentType } from 'preact';
import { typeOf, typeText } from '../../ui/feeds.tsx';
import { Field, SelectField, TextField } from '../../ui/inputs.tsx';
import { Section } from '../../ui/layout.tsx';
import { type Config, type FeedFields, isObject, objectOf, withKey } from './feed.ts';
import { Folded, FoldedFields } from './inputs/folded.tsx';
import { below, type Edited, useFault, useForm } from './inputs/form.ts';
import { ObjectFields, SchemaField } from './inputs/schema-field.tsx';
import { FeedInput } from './inputs/special.tsx';
import { NamedSet } from './named-set.tsx';
import { Promotion } from './promotion.tsx';
import { helpOf } from './schemas.ts';
import { Scoring } from './scoring.tsx';

/** The form of a feed: what it is called and who may use it, then the steps in which a page is made. */

const ENDPOINTS = ['feeds/for-you', 'feeds/trending', 'feeds/popular'] as const;

const VISIBILITIES = [
  { value: 'private', text: 'Private: only this account' },
  { value: 'public', text: 'Public: other accounts may read it' },
  { value: 'template', text: 'Template: offered to other accounts' },
] as const;

interface FormProps {
  feed: FeedFields;
  onChange: (changes: Partial<FeedFields>) => void;
}

function Details({ feed, onChange }: FormProps) {
  const { name, description, endpoint, visibility, feed_image_url, short_name } = feed;
  const known = ENDPOINTS.find((one) => typeOf(one) === typeOf(endpoint));
  return (
    <Section kind="card" title="Feed">
      <TextField
        label="Name"
        error={useFault('/name')}
        value={name}
        onChange={(next) => onChange({ name: next })}
      />
      <SelectField
        label="Type"
        error={useFault('/endpoint')}
        value={known ?? ENDPOINTS[0]}
        options={ENDPOINTS.map((value) => ({ value, text: typeText(value) }))}
        onChange={(next) => onChange({ endpoint: next })}
      />
      <Folded
        title="Description, visibility, picture"
        why="To say what the feed is for, or to share it."
        is_set={description !== '' || visibility !== 'private' || Boolean(short_name ?? feed_image_url)}
        paths={['/description', '/visibility', '/short_name', '/feed_image_url']}
      >
        <TextField
          label="Description"
          error={useFault('/description')}
          value={description}
          onChange={(next) => onChange({ description: next })}
        />
        <SelectField
          label="Visibility"
          error={useFault('/visibility')}
          value={visibility}
          options={VISIBILITIES}
          onChange={(next) => onChange({ visibility: next })}
        />
        <TextField
          label="Short name"
          error={useFault('/short_name')}
          value={short_name ?? ''}
          onChange={(next) => onChange({ short_name: next === '' ? null : next })}
        />
        <TextField
          label="Address of a picture"
          error={useFault('/feed_image_url')}
          type="url"
          value={feed_image_url}
          onChange={(next) => onChange({ feed_image_url: next })}
        />
      </Folded>
    </Section>
  );
}

interface ParameterProps extends Edited {
  config: Config;
  /** Sets several parameters. */
  change: (changes: Config) => void;
}

/** The feed of newcomers. The API has a short and a long form for it, of which this writes the long one. */
function ColdStart({ schema, config, change, path }: ParameterProps) {
  const value: Record<string, unknown> =
    config.cold_start === undefined ? { feed_id: config.cold_start_feed } : objectOf(config.cold_start);
  const set = (next: unknown): void => change({ cold_start: next, cold_start_feed: undefined });
  return (
    <>
      <Field
        label="Newcomers get"
        help={helpOf(schema)}
        error={useFault(below(path, 'feed_id'), '/config/cold_start_feed', path)}
      >
        <FeedInput
          value={value.feed_id}
          onChange={(id) => set(id === undefined ? undefined : withKey(value, 'feed_id', id))}
        />
      </Field>
      {value.feed_id !== undefined && (
        <ObjectFields {...{ schema, value, path }} name="cold_start" except={['feed_id']} onChange={set} />
      )}
    </>
  );
}

/** Parameters that are more than the schema of their values. */
const PARAMETERS: Readonly<Record<string, ComponentType<ParameterProps>>> = {
  filters: (props) => <NamedSet kind="filters" noun="filter" {...props} />,
  visibility_rules: (props) =>
    Object.keys(props.schema.properties ?? {}).length === 0 && props.value === undefined ? null : (
      <NamedSet kind="visibility_rules" noun="rule" {...props} />
    ),
  scoring: Scoring,
  promotion_filters: Promotion,
  cold_start: ColdStart,
  cold_start_feed: () => null,
};

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
    parameters: ['scoring', 'time_decay', 'learn', 'candidate_limit'],
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

/** The form of all that a feed has. A parameter of no step is in the last part. */
export function Steps({ feed, onChange }: FormProps) {
  const { endpoint, config } = feed;
  const { forms } = useForm();
  const parameters = forms.parametersOf(endpoint);
  const in_steps = new Set(STEPS.flatMap((step) => step.parameters));
  const others = Object.keys(parameters).filter((name) => !in_steps.has(name));
  const change = (changes: Config): void =>
    onChange({
      config: Object.entries(changes).reduce((all, [name, value]) => withKey(all, name, value), config),
    });
  const parameter = (name: string) => {
    const Parameter: ComponentType<ParameterProps> = PARAMETERS[name] ?? SchemaField;
    return (
      <Parameter
        key={name}
        {...{ name, config, change, schema: parameters[name], value: config[name] }}
        onChange={(value) => change({ [name]: isEmpty(value) ? undefined : value })}
        path={below('/config', name)}
      />
    );
  };
  const fields = (names: readonly string[]) => (
    <FoldedFields
      of="config"
      names={names.filter((name) => parameters[name] !== undefined)}
      values={config}
      path="/config"
      field={parameter}
    />
  );
  return (
    <>
      <Details {...{ feed, onChange }} />
      {STEPS.map(({ title, help, parameters: names }, index) => (
        <Section key={title} kind="card step" title={`${index + 1}. ${title}`} help={help}>
          {fields(names)}
        </Section>
      ))}
      {others.length > 0 && (
        <Section
          kind="card"
          title="Page"
          help="What the feed answers, unless a request asks for something else."
        >
          {fields(others)}
        </Section>
      )}
    </>
  );
}

/** An object whose fields were all emptied. */
function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** Scrolls to a step, or to the preview where it is below them. */
export function StepLinks() {
  const show = (element: Element | undefined | null): void => element?.scrollIntoView();
  return (
    <div class="step-links">
      <button
        type="button"
        class="to-preview"
        onClick={() => show(document.querySelector('.editor > .beside'))}
      >
        Preview
      </button>
      {STEPS.map(({ title }, index) => (
        <button
          key={title}
          type="button"
          onClick={() => show(document.querySelectorAll('.card.step')[index])}
        >
          {title}
        </button>
      ))}
    </div>
  );
}
