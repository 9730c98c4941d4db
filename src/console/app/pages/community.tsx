import { useMemo } from 'preact/hooks';
import type { CommunityHealth } from '../../../../openapi/client/src/index.ts';
import { LIMITS } from '../../../limits.ts';
import { place, replaceQuery } from '../router.ts';
import { Button } from '../ui/button.tsx';
import { Chart } from '../ui/chart.tsx';
import { useFeeds } from '../ui/feeds.tsx';
import { Facts, Head, Scores, Section } from '../ui/layout.tsx';
import { useAnswer } from '../ui/resource.ts';
import { Empty, Loaded } from '../ui/states.tsx';
import { percent, whole } from '../ui/texts.ts';
import { linesOf, MEASURES, valueText } from './community/measures.ts';

/** Feeds that are listed for each measure, beside all pages: those with the most pages. */
const FEEDS_LISTED = 8;

type NameOf = (feed_id: string | null) => string;

/** Who is shown to viewers, how evenly, how much of what there is, how often again, and how different pages are. */
export function CommunityPage() {
  const is_today = place.value.query.get('days') === '1';
  const health = useAnswer('/api/community-health', { query: { days: is_today ? 1 : 7 } });
  const feeds = useFeeds();
  const nameOf = useMemo<NameOf>(
    () => (feed_id) => (feed_id === null ? 'All pages' : feeds.nameOf(feed_id)),
    [feeds.nameOf],
  );
  return (
    <div class="health">
      <Head title="Community">
        <Button pressed={is_today} onClick={() => replaceQuery({ days: '1' })}>
          Today
        </Button>
        <Button pressed={!is_today} onClick={() => replaceQuery({ days: undefined })}>
          7 days
        </Button>
        <Button icon="refresh" label="Refresh" onClick={health.reload} />
      </Head>
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
      <Section title="What was shown">
        <Facts
          facts={[
            ['Pages', whole(sample.pages)],
            ['Viewers', whole(sample.viewers)],
            ['Posts on these pages', whole(health.feeds[0].total.shown)],
            ['Posts there are', whole(supply.items)],
            ['New posts', whole(supply.new_items)],
            ['Active authors', whole(supply.active_authors)],
          ]}
        />
        <p class="help">
          {sample.viewers_share < 1 &&
            `A random sample: all pages of ${percent(sample.viewers_share)} of the viewers. `}
          Pages count when they are sent to a viewer; of pages with mark_seen: false, what is reported as seen
          counts. Days are in UTC. Authors are active if they published something in the last{' '}
          {LIMITS.recent_author_days} days.
        </p>
      </Section>
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
  const { name, title, meaning, supply, is_index } = measure;
  const { feeds } = health;
  const lines = useMemo(() => linesOf(feeds, measure, nameOf), [feeds, measure, nameOf]);
  const wrote = supply && ` They wrote ${valueText(health.supply[supply])} of the posts there are.`;
  return (
    <Section kind="measure" title={title} help={[meaning, wrote]}>
      <Scores
        rows={feeds.slice(0, FEEDS_LISTED + 1).map(({ feed_id, total }) => ({
          ...{ text: nameOf(feed_id), share: total[name], figure: valueText(total[name], measure) },
        }))}
      />
      {lines.times.length > 1 && (
        <Chart title={`${title} by day`} unit={is_index ? '' : '%'} {...lines} has_days />
      )}
    </Section>
  );
}
