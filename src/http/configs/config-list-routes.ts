import { type TSchema, Type } from '@sinclair/typebox';
import { OneOf } from '../../answer/schema-parts.ts';
import { warningsFor } from '../../feeds/check-parameters.ts';
import { VISIBILITIES, type Visibility } from '../../feeds/feed-object.ts';
import type { SavedFeed } from '../../feeds/saved-feed.ts';
import { LIMITS } from '../../limits.ts';
import { type Check, refuse } from '../../model/values/refusal.ts';
import { CONFIGS } from '../identity/admissions.ts';
import { json, warned } from '../transport/answers.ts';
import { checkedBy, objectIn } from '../transport/body.ts';
import { digitsWithin, type Parameter, readParameters } from '../transport/parameters.ts';
import { route } from '../transport/route.ts';
import { feedAnswer } from './config-routes.ts';
import { CONFIG_DOCS, ListAnswerSchema } from './feed-config-schemas.ts';

/** A field that null and empty text leave out, which published clients send. */
function field<T>(schema: TSchema, check: Check<T>): Parameter<T | undefined> {
  return {
    schema,
    is_required: false,
    check: (value) => (value === undefined || value === null || value === '' ? undefined : check(value)),
  };
}

const LIMIT = Type.Integer({
  minimum: 1,
  maximum: LIMITS.feeds_listed_max,
  example: LIMITS.feeds_listed_default,
  description: `Maximum number of feeds. Default ${LIMITS.feeds_listed_default}. If one answer cannot hold them, the rest is left out and a warning is added.`,
});
const OFFSET = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  example: 0,
  description: 'Number of feeds to skip. Default 0.',
});

/** The part of the list, in the body as numbers or in the query as digits. */
function part(place: 'body' | 'query') {
  const within = ({ minimum = 0, maximum = 0 }: typeof LIMIT): Check<number> => {
    const digits = digitsWithin(minimum, maximum);
    return (value) => digits(place === 'body' && typeof value !== 'number' ? undefined : value);
  };
  return { limit: field(LIMIT, within(LIMIT)), offset: field(OFFSET, within(OFFSET)) };
}

const FIELDS = {
  visibility: field<Visibility>(
    OneOf(
      VISIBILITIES,
      `Lists only feeds of this visibility; \`template\` lists the newest ${LIMITS.templates_listed_of_account} templates of each account. Default: all feeds of the account.`,
    ),
    (value) =>
      VISIBILITIES.find((name) => name === value) ?? refuse(`must be one of ${VISIBILITIES.join(', ')}`),
  ),
  ...part('body'),
};

const LISTING = Type.Object(
  Object.fromEntries(Object.entries(FIELDS).map(([name, { schema }]) => [name, Type.Optional(schema)])),
  { description: 'Selects the feeds to list.', additionalProperties: true },
);

const EXAMPLES = {
  all: { summary: 'All feeds of the account', value: {} },
  templates: { summary: 'Templates of all accounts', value: { visibility: 'template', limit: 10 } },
};

/** `POST /api/feed/configs`: spec 4.2. `limit` and `offset` may also be query parameters. */
export const configListRoutes = [
  route('POST', '/api/feed/configs', {
    admit: CONFIGS,
    answered_by: 'current',
    query: part('query'),
    body: checkedBy(
      LISTING,
      {
        bytes_max: LIMITS.config_body_bytes_max,
        docs: {
          description: 'Selects the feeds. An empty body lists from the start.',
          required: false,
          examples: EXAMPLES,
        },
      },
      (given) => {
        const fields = objectIn(given ?? {});
        const unknown = Object.keys(fields).filter((name) => !Object.hasOwn(FIELDS, name));
        return { value: readParameters(FIELDS, fields), warnings: warningsFor(unknown, '', 'ignored') };
      },
    ),
    answer: json(ListAnswerSchema),
    docs: {
      ...CONFIG_DOCS,
      id: 'listFeeds',
      summary: 'Saved feeds',
      description: `Lists the account's feeds, newest first. With visibility \`template\`, lists the newest ${LIMITS.templates_listed_of_account} templates of each account.`,
    },
    handle({ service, principal: { account }, body, query, warnings }) {
      const { visibility, limit = query.limit, offset = query.offset } = body;
      return listAnswer(service.saved_feeds.list(account, visibility), limit, offset ?? 0, warnings);
    },
  }),
];

/** The selected feeds, as many as fit one answer. A warning tells where to continue. */
function listAnswer(
  feeds: readonly SavedFeed[],
  limit: number | undefined,
  offset: number,
  warnings: readonly string[],
) {
  const wanted = feeds.slice(offset, offset + (limit ?? LIMITS.feeds_listed_default));
  let bytes = 0;
  const fits = wanted.findIndex(({ content_bytes }, at) => {
    bytes += content_bytes;
    return at > 0 && bytes > LIMITS.answer_bytes_max;
  });
  const listed = fits < 0 ? wanted : wanted.slice(0, fits);
  const end = offset + listed.length;
  const all_warnings = [...warnings];
  if (fits >= 0)
    all_warnings.push(
      `an answer has at most ${LIMITS.answer_bytes_max} bytes: ${listed.length} feeds of ${wanted.length} are listed; go on with offset ${end}`,
    );
  else if (limit === undefined && end < feeds.length)
    all_warnings.push(`${feeds.length - end} more feeds are not listed; ask for them with limit and offset`);
  return { data: listed.map(feedAnswer), ...warned(all_warnings) };
}
