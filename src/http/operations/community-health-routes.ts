import { Type } from '@sinclair/typebox';
import { Count, ListOf, ObjectOf, orNull, Seconds, Share, Text } from '../../answer/schema-parts.ts';
import { DAY_SECONDS, isoDate } from '../../clock.ts';
import { LIMITS } from '../../limits.ts';
import type { Service } from '../../service.ts';
import { CONFIGS } from '../identity/admissions.ts';
import { namedObject } from '../openapi/schema.ts';
import { json } from '../transport/answers.ts';
import { integerParameter } from '../transport/parameters.ts';
import { route } from '../transport/route.ts';

const DAYS_MAX = LIMITS.shown_kept_seconds / DAY_SECONDS;

type Report = Awaited<ReturnType<Service['exposure']['ofDays']>>;
type Measures = Report['feeds'][number]['total'];

const ShareOrNull = (description: string, example: number, absent = 'nothing was shown.') =>
  orNull(Share(description, example), absent);

const MEASURES = {
  pages: Count('Pages that were read.', 1_800),
  viewers: Count('Viewers of these pages.', 240),
  shown: Count('Items on these pages, each as often as it was shown.', 45_000),
  newcomers_share: ShareOrNull('The share of shown items by newcomers.', 0.12),
  small_authors_share: ShareOrNull('The share of shown items by small authors.', 0.31),
  exposure_gini: ShareOrNull(
    'How unevenly authors are shown: the Gini coefficient over active authors, and other authors who were shown. 0: all are shown equally often. Near 1: a few authors get nearly everything.',
    0.62,
  ),
  coverage: ShareOrNull(
    'The share of items that may be shown which were shown at least once.',
    0.24,
    'there are none.',
  ),
  new_coverage: ShareOrNull('The same of items that were published in the period.', 0.81, 'there are none.'),
  repetition: ShareOrNull('The share of shown items that the same viewer had been shown before.', 0.08),
  distance: ShareOrNull(
    'How different the pages of viewers are: the mean Jaccard distance between pages of two viewers of the same feed and day. 0: all are shown the same. 1: pages have nothing in common.',
    0.87,
    'no two viewers saw the same feed on a day.',
  ),
};

const FeedExposureSchema = namedObject('FeedExposure', 'What a feed has shown.', {
  feed_id: Type.Union([Type.String(), Type.Null()], {
    description: 'A saved feed of the account. null: all pages of all feeds. It comes first.',
    example: 'feed_1',
  }),
  total: ObjectOf('In the whole period.', MEASURES),
  days: ListOf(
    'On each day with pages, oldest first. Repetition counts within the day.',
    ObjectOf('A day.', { day: Text('The day in UTC.', '2026-01-01'), ...MEASURES }),
  ),
});

const SupplyShare = (of: string, example: number) =>
  ShareOrNull(
    `The share of them that is by ${of}, as far as their author is known.`,
    example,
    'there are none.',
  );

const CommunityHealthSchema = namedObject('CommunityHealth', 'What viewers were shown, as numbers.', {
  from: Text('The first day of the period in UTC. The last one is today.', '2026-01-01'),
  computed_at: Seconds('When it was computed.'),
  sample: ObjectOf('The logged pages that were read. Of a viewer, all that are logged in the period.', {
    pages: MEASURES.pages,
    viewers: MEASURES.viewers,
    viewers_share: Share(
      'The share of viewers whose logged pages were read; 1: all. Viewers are drawn at random. The log itself may hold a sample of the pages of busy hours. With a sample, coverage is too low.',
      1,
    ),
  }),
  supply: ObjectOf('What there is to show now.', {
    items: Count('Items that may be shown.', 12_000),
    new_items: Count('Of these, items that were published in the period.', 900),
    active_authors: Count(`Authors of such an item of the last ${LIMITS.recent_author_days} days.`, 400),
    newcomers_share: SupplyShare(
      `newcomers: authors whose oldest item is at most ${LIMITS.recent_author_days} days old`,
      0.1,
    ),
    small_authors_share: SupplyShare(
      'small authors: those with at most the average number of followers',
      0.45,
    ),
  }),
  feeds: ListOf('Measures of all pages, then by feed, most pages first.', FeedExposureSchema),
});

/** `GET /api/community-health`. */
export const communityHealthRoutes = [
  route('GET', '/api/community-health', {
    admit: CONFIGS,
    answered_by: 'any',
    query: {
      days: integerParameter(
        { min: 1, max: DAYS_MAX, absent: DAYS_MAX },
        'Days of the period in UTC, of which today is the last.',
      ),
    },
    answer: json(ObjectOf('The health.', { data: CommunityHealthSchema })),
    docs: {
      tag: 'Operations',
      id: 'communityHealth',
      summary: 'Health of the community',
      description:
        'Who is shown to viewers, how evenly, how much of what there is, how often again, and how different the pages of viewers are: in all, by feed and by day. It is computed from logged pages, which are kept for 7 days. At most 20,000 pages are read, and an answer is reused for up to 5 minutes if it took long to compute.',
      errors: ['overloaded', 'store_unavailable'],
    },
    async handle({ service, principal: { account }, query: { days } }) {
      return { data: answerOf(await service.exposure.ofDays(days), service, account) };
    },
  }),
];

function answerOf(
  { first_day, computed_at, sample, supply, feeds }: Report,
  { saved_feeds }: Pick<Service, 'saved_feeds'>,
  account: string,
) {
  const listed = feeds.flatMap(({ feed, total, days }) => {
    const saved = feed === undefined ? undefined : saved_feeds.find(`feed_${feed}`, account);
    if (feed !== undefined && saved?.account !== account) return [];
    const by_day = days.map(({ day, measures }) => ({ day: isoDate(day), ...rounded(measures) }));
    return [{ feed_id: saved?.feed_id ?? null, total: rounded(total), days: by_day }];
  });
  return {
    from: isoDate(first_day),
    computed_at: Math.floor(computed_at),
    sample: rounded(sample),
    supply: rounded(supply),
    feeds: listed.sort((one, other) => other.total.pages - one.total.pages),
  };
}

/** Shares to four digits. */
function rounded<T extends Measures | Report['supply'] | Report['sample']>(numbers: T): T {
  const entries = Object.entries(numbers);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value === null ? null : Math.round(value * 1e4) / 1e4]),
  ) as T;
}
