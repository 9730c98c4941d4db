import type { AnswerOf } from '../../../../../openapi/client/src/index.ts';
import { api } from '../../session.ts';
import { typeOf } from '../../ui/feeds.tsx';
import { inConsoleWords } from '../../ui/texts.ts';

/** The part of JSON Schema that forms are made from. */
export interface Schema {
  type?: string;
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  patternProperties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  examples?: readonly unknown[];
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  maxItems?: number;
  maxLength?: number;
}

type Reference = Schema & { $ref?: string };

interface Document {
  components: { schemas: Record<string, Reference> };
}

type Plugin = AnswerOf<'GET', '/api/plugins'>['data'][number];

export interface Forms {
  /** The parameters of a feed of a type, in the order of the API. */
  parametersOf(endpoint: string): Readonly<Record<string, Schema>>;
  plugins: readonly Plugin[];
}

export async function loadForms(signal: AbortSignal): Promise<Forms> {
  const [document, { data }] = await Promise.all([loadDocument(signal), api().plugins({ signal })]);
  const { schemas } = document.components;
  return {
    parametersOf: (endpoint) =>
      whole(schemas[`${pascalCase(typeOf(endpoint))}Config`] ?? {}, schemas).properties ?? {},
    plugins: data,
  };
}

/** The document is public, and no operation of the client. */
async function loadDocument(signal: AbortSignal): Promise<Document> {
  const response = await fetch('swagger/json', { signal });
  if (!response.ok) throw new Error(`the description of the API could not be loaded (${response.status})`);
  return (await response.json()) as Document;
}

function pascalCase(text: string): string {
  return text.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase());
}

/** A schema with everything that it refers to. */
function whole({ $ref, ...schema }: Reference, schemas: Document['components']['schemas']): Schema {
  if ($ref !== undefined) {
    const { description = schema.description, ...target } = schemas[$ref.split('/').at(-1) ?? ''] ?? {};
    return whole({ ...target, description }, schemas);
  }
  const inside = (part: Reference): Schema => whole(part, schemas);
  const all = (parts: Readonly<Record<string, Schema>>): Record<string, Schema> =>
    Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, inside(part)]));
  return {
    ...schema,
    ...(schema.properties && { properties: all(schema.properties) }),
    ...(schema.items && { items: inside(schema.items) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(inside) }),
  };
}

/** One sentence about an extension, without examples of what its input shows; empty if it is not loaded. */
export function summaryOf({ plugins }: Forms, kind: Plugin['kind'], id: string): string {
  const { summary = '' } = plugins.find((plugin) => plugin.kind === kind && plugin.id === id) ?? {};
  return inConsoleWords(summary).replace(/, for example .*$/, '.');
}

export function initialOf(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [first] = schema.anyOf ?? [];
  const list = schema.anyOf?.find(({ type }) => type === 'array');
  if (list !== undefined) return [];
  if (first !== undefined) return schema.examples?.[0] ?? initialOf(first);
  if (schema.type === 'array') return [];
  if (schema.type === 'boolean') return true;
  if (schema.type === 'object') return initialObject(schema);
  if (schema.type === 'string') return schema.examples?.[0] ?? '';
  const { minimum, exclusiveMinimum } = schema;
  return (
    schema.examples?.[0] ?? minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1)
  );
}

function initialObject({ properties = {}, required = [] }: Schema): object {
  return Object.fromEntries(required.map((name) => [name, initialOf(properties[name] ?? {})]));
}

/** Names that the API gives in the words of its fields. */
const TITLES: Readonly<Record<string, string>> = {
  start_timestamp: 'Posted since',
  end_timestamp: 'Posted until',
  app_fids: 'Apps',
  author_ids: 'Authors',
  remove_author_ids: 'Without authors',
  ai_labels: 'Labels',
  remove_ai_labels: 'Without labels',
  labeled: 'Labels of labelers',
  remove_labeled: 'Without labels of labelers',
  publication_types: 'Types of post',
  words: 'Words',
  remove_words: 'Without words',
  embed_domains: 'Linked sites',
  geo_locations: 'Near places',
  remove_geo_locations: 'Away from places',
  seen: 'Posts that the viewer has seen',
  mode: 'What happens to them',
  drop: 'Leave them out',
  last: 'Show them after all other posts, longest ago first',
  show: 'Show them as any other post',
  after_hours: 'Hours that a post counts as seen',
  rest_hours: 'Hours before a seen post returns',
  show_interacted_items: 'Show posts that the viewer already reacted to',
  remove_user_posts_from_feed: "Leave out the viewer's own posts",
  return_only_posts_with_social_proof: 'Only posts that followed users reacted to',
  max_posts_per_author: 'Posts per author',
  max_posts_per_channel: 'Posts per channel',
  repeat_author_decay: 'Factor for authors seen in the last day',
  min_distance_between_posts_from_same_author: 'Posts between two of one author',
  feed_diversity_config: 'Diversity',
  semantic: 'Diversity of meaning',
  lambda: 'Weight of the score',
  horizon: 'Posts to compare with',
  return_global_fallback: 'Then show popular posts of the whole network',
  fallback_feeds: 'When the feed runs out, continue with',
  promotion_filters: 'Promotion',
  time_decay: 'Lower scores with age',
  half_life_hours: 'Half-life in hours',
  learn: 'Learn from the pages that it shows',
  candidate_limit: 'Candidates that are scored',
  top_k: 'Posts on a page',
  page_size: 'Posts on a plain page',
  return_metadata: 'Return texts, counts and authors',
  reasons: 'Return why each post is shown',
  min_interactions: 'Newcomers have fewer interactions than',
  inactive_days: 'Or were away for more days than',
};

/** The name of a field as people read it. Names with a version or an owner stay as they are. */
export function titleOf(name: string): string {
  const known = TITLES[name];
  if (known !== undefined) return known;
  if (!/^\w+$/.test(name)) return name;
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A description without how the value is written, which its input knows. */
export function helpOf({ description = '' }: Schema): string {
  const [text] = description.split(/ (?:Form|Value): | Default `?\{/);
  // Such as `an integer of at least 0`.
  if (/^(an?|the) /.test(text)) return '';
  return inConsoleWords(text)
    .replace(/^(?:Whether to )?(\w)/, (_, letter: string) => letter.toUpperCase())
    .replaceAll('`', '');
}

/** Whether the title of a field says everything that its description says. */
export function saysAll(name: string, { type, enum: values, anyOf = [] }: Schema): boolean {
  const choices = values ?? anyOf.map(({ const: only }) => only);
  const are_told = choices.length > 0 && choices.every((choice) => TITLES[String(choice)] !== undefined);
  return TITLES[name] !== undefined && (type === 'boolean' || are_told || /^(max|min)_/.test(name));
}
