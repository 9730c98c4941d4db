import { useMemo } from 'preact/hooks';
import type { CommunityHealth } from '../../../../openapi/client/src/index.ts';
import { place, replaceQuery } from '../router.ts';
import { api } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { Chart } from '../ui/chart.tsx';
import { Fact } from '../ui/fact.tsx';
import { useResource } from '../ui/resource.ts';
import { Empty, Loaded } from '../ui/states.tsx';
import { linesOf, MEASURES, valueText } from './community/measures.ts';

const WHOLE = new Intl.NumberFormat('en');
const FEEDS_READ = 1_000;
/** Feeds that are listed for each measure, beside all pages: those with the most pages. */
const FEEDS_LISTED = 8;

type NameOf = (feed_id: string | null) => string;

/** Who is shown to viewers, how evenly, how much of what there is, how often again, and how different pages are. */
export function CommunityPage(_: { rest: readonly string[] }) {
  const is_today = place.value.query.get('days') === '1';
  const days = is_today ? 1 : 7;
  const health = useResource(
    (signal) => api().call('GET', '/api/community-health', { query: { days }, signal }),
    [days],
  );
  const feeds = useResource((signal) => api().listFeeds({ limit: FEEDS_READ }, { signal }), []);
  const nameOf = useMemo<NameOf>(() => {
    const names = new Map(feeds.data?.data.map(({ config_id, name }) => [config_id, name]));
    return (feed_id) => (feed_id === null ? 'All pages' : (names.get(feed_id) ?? feed_id));
  }, [feeds.data]);
  return (
    <div class="health">
      <div class="head">
        <h1>Community</h1>
        <Button pressed={is_today} onClick={() => replaceQuery({ days: '1' })}>
          Today
        </Button>
        <Button pressed={!is_today} onClick={() => replaceQuery({ days: undefined })}>
          7 days
        </Button>
        <Button icon="refresh" label="Refresh" onClick={health.reload} />
      </div>
      <Loaded resource={health} lines={12}>
        {({ data }) => <Health health={data} nameOf={nameOf} />}
      </Loaded>
    </div>
  );
}

function Health({ health, nameOf }: { health: CommunityHealth; nameOf: NameOf }) {
  const { sample, supply } = health;
  return (
    <>
      <section aria-labelledby="shown">
        <h2 id="shown">What was shown</h2>
        <dl class="facts">
          <Fact name="Pages">{WHOLE.format(sample.pages)}</Fact>
          <Fact name="Viewers">{WHOLE.format(sample.viewers)}</Fact>
          <Fact name="Posts on these pages">{WHOLE.format(health.feeds[0].total.shown)}</Fact>
          <Fact name="Posts there are">{WHOLE.format(supply.items)}</Fact>
          <Fact name="New posts">{WHOLE.format(supply.new_items)}</Fact>
          <Fact name="Active authors">{WHOLE.format(supply.active_authors)}</Fact>
        </dl>
        <p class="help">
          {sample.viewers_share < 1 &&
            `A random sample: all pages of ${valueText(sample.viewers_share)} of the viewers. `}
          Pages count when they are sent to a viewer; of pages with mark_seen: false, what is reported as seen
          counts. Days are in UTC. Authors are active if they published something in the last 30 days.
        </p>
      </section>
      {sample.pages === 0 ? (
        <Empty title="Nothing was shown yet">
          <p>The first page that a viewer gets appears here a second later.</p>
        </Empty>
      ) : (
        <div class="measures">
          {MEASURES.map((measure) => (
            <MeasureCard key={measure.name} {...{ measure, health, nameOf }} />
          ))}
        </div>
      )}
    </>
  );
}

function MeasureCard(props: { measure: (typeof MEASURES)[number]; health: CommunityHealth; nameOf: NameOf }) {
  const { measure, health, nameOf } = props;
  const { name, title, meaning, supply } = measure;
  const { feeds } = health;
  const lines = useMemo(() => linesOf(feeds, measure, nameOf), [feeds, measure, nameOf]);
  return (
    <section class="measure" aria-labelledby={name}>
      <h2 id={name}>{title}</h2>
      <p class="help">
        {meaning}
        {supply && ` They wrote ${valueText(health.supply[supply])} of the posts there are.`}
      </p>
      <ul class="scores">
        {feeds.slice(0, FEEDS_LISTED + 1).map(({ feed_id, total }) => (
          <li key={feed_id}>
            <span>{nameOf(feed_id)}</span>
            <meter min={0} max={1} value={total[name] ?? 0} aria-label={nameOf(feed_id)} />
            <span class="number">{valueText(total[name], measure)}</span>
          </li>
        ))}
      </ul>
      {lines.times.length > 1 && (
        <Chart title={`${title} by day`} unit={measure.is_index ? '' : '%'} {...lines} has_days />
      )}
    </section>
  );
}
