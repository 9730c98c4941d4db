import { useMemo } from 'preact/hooks';
import { linkTo } from '../router.ts';
import { api } from '../session.ts';
import { Chart } from '../ui/chart.tsx';
import { Fact } from '../ui/fact.tsx';
import { useResource } from '../ui/resource.ts';
import { Empty, Loaded } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Ago } from '../ui/time.tsx';
import { type SavedFeed, typeText } from './feeds/feed.ts';
import { Status as FeedStatus } from './feeds/feed-list.tsx';
import { Status } from './health/status.tsx';
import { chartsOf, type Totals } from './overview/days.ts';

const WHOLE = new Intl.NumberFormat('en');
const FEEDS_READ = 1_000;
const FEEDS_LISTED = 5;

const FEED_COLUMNS: readonly Column<SavedFeed>[] = [
  {
    title: 'Name',
    cell: ({ config_id, name }) => (
      <>
        <a href={linkTo(['feeds', config_id])}>{name}</a> <small>{config_id}</small>
      </>
    ),
  },
  { title: 'Type', is_extra: true, cell: ({ endpoint }) => typeText(endpoint) },
  { title: 'Status', cell: ({ status }) => <FeedStatus status={status} /> },
  { title: 'Created', cell: ({ created_at }) => <Ago at={created_at} /> },
];

/** What there is, what feeds did on the last days, and what needs attention. */
export function OverviewPage(_: { rest: readonly string[] }) {
  const totals = useResource((signal) => api().call('GET', '/api/totals', { signal }), []);
  const feeds = useResource((signal) => api().listFeeds({ limit: FEEDS_READ }, { signal }), []);
  const nameOf = useMemo(() => {
    const names = new Map(feeds.data?.data.map(({ config_id, name }) => [config_id, name]));
    return (feed_id: string) => names.get(feed_id) ?? feed_id;
  }, [feeds.data]);
  return (
    <div class="health">
      <div class="head">
        <h1>Overview</h1>
      </div>
      <section aria-labelledby="totals">
        <h2 id="totals">Totals</h2>
        <Loaded resource={totals} lines={2}>
          {({ data }) => <Facts totals={data} />}
        </Loaded>
      </section>
      <Status is_brief />
      <section aria-labelledby="days">
        <h2 id="days">Last 30 days</h2>
        <Loaded resource={totals} lines={12}>
          {({ data }) => <Days totals={data} nameOf={nameOf} />}
        </Loaded>
      </section>
      <section aria-labelledby="newest">
        <h2 id="newest">Newest feeds</h2>
        <Loaded resource={feeds}>{({ data }) => <NewestFeeds feeds={data} />}</Loaded>
      </section>
      <RunningExperiments nameOf={nameOf} />
    </div>
  );
}

function Facts({ totals }: { totals: Totals }) {
  const { items, users, active_users, interactions, follows } = totals;
  return (
    <dl class="facts">
      <Fact name="Posts">{WHOLE.format(items)}</Fact>
      <Fact name="People">{WHOLE.format(users)}</Fact>
      <Fact name="Active viewers, last day">{WHOLE.format(active_users.day)}</Fact>
      <Fact name="Active viewers, last 7 days">{WHOLE.format(active_users.week)}</Fact>
      <Fact name="Interactions">{WHOLE.format(interactions)}</Fact>
      <Fact name="Follows">{WHOLE.format(follows)}</Fact>
    </dl>
  );
}

function Days({ totals: { days }, nameOf }: { totals: Totals; nameOf: (feed_id: string) => string }) {
  const charts = useMemo(() => chartsOf(days, nameOf), [days, nameOf]);
  if (days.length === 0)
    return <p class="help">The first page that a viewer sees appears here a second later.</p>;
  return (
    <>
      <p class="help">
        Acts are likes, comments, shares and bookmarks of posts that the feed was the last to show within the
        day before, to any viewer. Posts count as shown when a page is sent to a viewer or, with mark_seen:
        false, when they are reported as seen. Days are in UTC.
      </p>
      <div class="charts">
        <Chart title="Acts per thousand shown posts" times={charts.times} series={charts.rates} has_days />
        <Chart title="Shown posts" times={charts.times} series={charts.shown} has_days />
      </div>
    </>
  );
}

function NewestFeeds({ feeds }: { feeds: readonly SavedFeed[] }) {
  if (feeds.length === 0)
    return (
      <Empty title="There are no feeds yet">
        <p>
          <a href={linkTo(['start'])}>Get started</a> shows the ways to the first one.
        </p>
      </Empty>
    );
  return (
    <Table columns={FEED_COLUMNS} rows={feeds.slice(0, FEEDS_LISTED)} keyOf={({ config_id }) => config_id} />
  );
}

function RunningExperiments({ nameOf }: { nameOf: (feed_id: string) => string }) {
  const experiments = useResource((signal) => api().call('GET', '/api/experiments', { signal }), []);
  return (
    <section aria-labelledby="running">
      <h2 id="running">Running experiments</h2>
      <Loaded resource={experiments} lines={2}>
        {({ data }) => {
          const running = data.filter(({ status }) => status === 'running');
          if (running.length === 0) return <p class="help">None is running.</p>;
          return (
            <ul class="audit">
              {running.map(({ experiment_id, name, feed_id, created_at }) => (
                <li key={experiment_id}>
                  <span>
                    <a href={linkTo(['experiments', experiment_id])}>{name}</a> of{' '}
                    <a href={linkTo(['feeds', feed_id])}>{nameOf(feed_id)}</a>
                  </span>
                  <Ago at={created_at} />
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </section>
  );
}
