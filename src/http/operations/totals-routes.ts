import { Type } from '@sinclair/typebox';
import { Count, ListOf, ObjectOf, Text } from '../../answer/schema-parts.ts';
import { DAY_SECONDS, isoDate } from '../../clock.ts';
import { LIMITS } from '../../limits.ts';
import type { Service } from '../../service.ts';
import type { State } from '../../state/state.ts';
import { CONFIGS } from '../identity/admissions.ts';
import { namedObject } from '../openapi/schema.ts';
import { json } from '../transport/answers.ts';
import { route } from '../transport/route.ts';

/** Users that are examined for their last act. Of more users, a sample is counted. */
const USERS_EXAMINED = 250_000;

const FeedDaySchema = namedObject('FeedDay', 'What a feed did on a day.', {
  day: Text('The day in UTC.', '2026-01-01'),
  feed_id: Type.Union([Type.String(), Type.Null()], {
    description:
      'A saved feed of the account. null: everything else, which is pages without a saved feed, and feeds of other accounts or that were deleted.',
    example: 'feed_1',
  }),
  pages: Count('Pages that were shown to viewers.', 120),
  shown: Count('Items on these pages.', 3_000),
  acts: Count(
    'Likes, comments, shares and bookmarks of items that the feed had shown to any viewer within the day before, as the last of all feeds. An act that is taken back later stays counted.',
    45,
  ),
});

const TotalsSchema = namedObject('Totals', 'Totals of the community.', {
  items: Count('Items with a record, also hidden ones. Deleted ones do not count.', 12_000),
  users: Count('Users who are known, also by their acts or follows alone.', 800),
  active_users: ObjectOf(
    `Users whose last act was not longer ago. Of more than ${USERS_EXAMINED} users, a sample is counted.`,
    {
      day: Count('24 hours.', 90),
      week: Count('7 days.', 240),
      month: Count('30 days.', 410),
    },
  ),
  interactions: Count(
    'Views, likes, comments, shares and bookmarks that were not taken back, also by hidden users and of hidden items.',
    160_000,
  ),
  follows: Count('Follows.', 9_000),
  days: ListOf(
    `The last ${LIMITS.feed_days_kept} days by feed, oldest first, without entries that are all 0. Counts are made when pages and acts are recorded. Of very many pages, a sample is counted, and each page stands for several. Of a day, at most ${LIMITS.feeds_counted_of_day} feeds are counted apart.`,
    FeedDaySchema,
  ),
});

/** `GET /api/totals`. */
export const totalsRoutes = [
  route('GET', '/api/totals', {
    admit: CONFIGS,
    answered_by: 'any',
    answer: json(ObjectOf('Totals.', { data: TotalsSchema })),
    docs: {
      tag: 'Operations',
      id: 'totals',
      summary: 'Totals and recent days',
      description:
        'How much the community has, and what each feed showed on the last days. Pages count if they were shown to a viewer, once they were logged, which takes about a second.',
    },
    handle: ({ service, principal: { account } }) => ({ data: totalsOf(service, account) }),
  }),
];

function totalsOf(service: Pick<Service, 'state' | 'saved_feeds' | 'clock'>, account: string) {
  const { state, clock } = service;
  const { by_time, users, interactions, follows } = state;
  return {
    items: by_time.length(0),
    users: users.names.in_use,
    active_users: activeUsers(state, clock.now()),
    interactions: interactions.by_item.size,
    follows: follows.size,
    days: daysOf(service, account),
  };
}

/** O(users), up to a limit. */
function activeUsers({ users, interactions: { by_user } }: State, now: number) {
  const active = { day: 0, week: 0, month: 0 };
  const step = Math.max(1, Math.ceil(users.size / USERS_EXAMINED));
  for (let user = 0; user < users.size; user += step) {
    if (by_user.length(user) === 0) continue;
    const days = (now - by_user.timestamp(by_user.end(user) - 1)) / DAY_SECONDS;
    if (days <= 1) active.day += step;
    if (days <= 7) active.week += step;
    if (days <= 30) active.month += step;
  }
  return active;
}

function daysOf(
  { state, saved_feeds, clock }: Pick<Service, 'state' | 'saved_feeds' | 'clock'>,
  account: string,
) {
  const rows = new Map<
    string,
    { day: string; feed_id: string | null } & Record<'pages' | 'shown' | 'acts', number>
  >();
  for (const { day, feed, pages, shown, acts } of state.feed_days.until(clock.now())) {
    const saved = feed === 0 ? undefined : saved_feeds.find(`feed_${feed}`, account);
    const feed_id = saved?.account === account ? saved.feed_id : null;
    const key = `${day} ${feed_id}`;
    const row = rows.get(key) ?? { day: isoDate(day), feed_id, pages: 0, shown: 0, acts: 0 };
    row.pages += pages;
    row.shown += shown;
    row.acts += acts;
    rows.set(key, row);
  }
  return [...rows.values()];
}
