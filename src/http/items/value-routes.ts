import { Count, ListOf, ObjectOf, Text } from '../../answer/schema-parts.ts';
import { LIMITS } from '../../limits.ts';
import { identifier } from '../../model/values/checks.ts';
import { Text as StoredText } from '../../model/values/schema-parts.ts';
import { MODERATORS } from '../identity/admissions.ts';
import { json } from '../transport/answers.ts';
import { integerParameter, optional, parameter, wordParameter } from '../transport/parameters.ts';
import { CONTENT_PATH } from '../transport/request-url.ts';
import { route } from '../transport/route.ts';
import { commonValues, valuesOf } from './common-values.ts';

/** The attributes of items, by the filters that compare them. */
const ATTRIBUTES = {
  ai_labels: 'label',
  app_fids: 'app',
  channels: 'channel',
  embed_domains: 'domain',
  languages: 'language',
  publication_types: 'publication_type',
} as const;

const ValuesSchema = ObjectOf('Values.', {
  values: ListOf(
    'The values, most items first.',
    ObjectOf('A value.', {
      value: Text('The value, as the filter takes it.', 'en'),
      items_count: Count('Number of items with it.'),
    }),
    LIMITS.searched_max,
  ),
});

type FilterName = keyof typeof ATTRIBUTES;

const FILTERS = Object.keys(ATTRIBUTES) as FilterName[];

const QUERY = {
  filter: wordParameter(FILTERS, 'The filter. `remove_ai_labels` takes the values of `ai_labels`.', {
    example: 'languages',
  }),
  search: optional(
    parameter<string>(
      {
        ...StoredText,
        description:
          'The start of the value, or of its part after the last `/`, without case, in any Unicode form. Default: all values.',
      },
      identifier,
    ),
  ),
  limit: integerParameter(
    { min: 1, max: LIMITS.searched_max, absent: LIMITS.searched_default },
    'Maximum number of entries.',
  ),
};

/** `GET /v2/community/values`, for the console. */
export const valueRoutes = [
  route('GET', `${CONTENT_PATH}/values`, {
    admit: MODERATORS,
    answered_by: 'current',
    query: QUERY,
    answer: json(ValuesSchema),
    docs: {
      tag: 'Stored records',
      id: 'listValues',
      summary: 'Values that filters can select',
      description:
        'Lists the values that items of this network have in the attribute which a filter compares, those with the most items first.',
    },
    async handle({ service, query: { filter, search = '', limit }, given_up }) {
      const group = valuesOf(service.state.groups, ATTRIBUTES[filter]);
      return { values: await commonValues(group, search, limit, given_up) };
    },
  }),
];
