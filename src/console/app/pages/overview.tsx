import { useMemo } from 'preact/hooks';
import { LIMITS } from '../../../limits.ts';
import { linkTo } from '../router.ts';
import { Chart } from '../ui/chart.tsx';
import { type SavedFeed, Status, typeText, useFeeds } from '../ui/feeds.tsx';
import { Facts, Head, Section } from '../ui/layout.tsx';
import { useAnswer } from '../ui/resource.ts';
import { Empty, Loaded } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { whole } from '../ui/texts.ts';
import { Ago } from '../ui/time.tsx';
import { Readiness } from './health/readiness.tsx';
import { chartsOf, type Totals } from './overview/days.ts';

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
  { title: 'Status', cell: ({ status }) => <Status status={status} /> },
  { title: 'Created', cell: ({ created_at }) => <Ago at={created_at} /> },
];

/** What there is, what feeds did on the last days, and what needs attention. */
export function OverviewPage() {
  const totals = useAnswer('/api/totals', {});
  const feeds = useFeeds();
  return (
    <div class="health">
      <Head title="Overview" />
      <Section title="Totals">
        <Loaded resource={totals} lines={2}>
          {({ data: { items, users, active_users, interactions, follows } }) => (
            <Facts
              facts={[
                ['Posts', whole(items)],
                ['People', whole(users)],
                ['Active viewers, last day', whole(active_users.day)],
                ['Active viewers, last 7 days', whole(active_users.week)],
                ['Interactions', whole(interactions)],
                ['Follows', whole(follows)],
              ]}
            />
          )}
        </Loaded>
      </Section>
      <Readiness is_brief />
      <Section title={`Last ${LIMITS.feed_days_kept} days`}>
        <Loaded resource={totals} lines={12}>
          {({ data }) => <Days totals={data} nameOf={feeds.nameOf} />}
        </Loaded>
      </Section>
      <Section title="Newest feeds">
        <Loaded resource={feeds}>{(all) => <NewestFeeds feeds={all} />}</Loaded>
      </Section>
      <RunningExperiments nameOf={feeds.nameOf} />
    </div>
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
  if (feeds.length > 0) return <Table columns={FEED_COLUMNS} rows={feeds.slice(0, FEEDS_LISTED)} />;
  return (
    <Empty title="There are no feeds yet">
      <p>
        <a href={linkTo(['start'])}>Get started</a> shows the ways to the first one.
      </p>
    </Empty>
  );
}

function RunningExperiments({ nameOf }: { nameOf: (feed_id: string) => string }) {
  const experiments = useAnswer('/api/experiments', {});
  return (
    <Section title="Running experiments">
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
    </Section>
  );
}
