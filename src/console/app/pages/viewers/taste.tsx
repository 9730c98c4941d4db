import type { ViewerInsight } from '../../../../../openapi/client/src/index.ts';
import { linkTo } from '../../router.ts';
import { type Score, Scores, Section } from '../../ui/layout.tsx';
import { channelName, languageName, percent, whole } from '../../ui/texts.ts';
import { Ago } from '../../ui/time.tsx';
import { useUserNames } from '../../ui/users.ts';

/** Of each kind. */
const SHOWN = 8;

/** What the service thinks that a viewer likes. */
export function Taste({ insight }: { insight: ViewerInsight }) {
  const { channels, languages, labels } = insight;
  const authors = insight.authors.toSorted((one, other) => other.share - one.share).slice(0, SHOWN);
  const nameOf = useUserNames(authors.map(({ user_id }) => user_id));
  const kinds: Readonly<Record<string, Omit<Score, 'figure'>[]>> = {
    Authors: authors.map(({ user_id, share, follows }) => ({
      ...{ text: nameOf(user_id), href: linkTo(['viewers', user_id]), share },
      note: follows && 'follows',
    })),
    Channels: channels.map(({ value, share }) => ({
      ...{ text: channelName(value), href: linkTo(['posts'], { by: 'channel', q: value }), share },
    })),
    Languages: languages.map(({ value, share }) => ({ text: languageName(value), share })),
    Labels: labels.map(({ value, share }) => ({ text: value, share })),
  };
  const known = Object.entries(kinds).filter(([, rows]) => rows.length > 0);
  return (
    <Section title="What the service thinks they like" name="What they like">
      <ColdStart cold_start={insight.cold_start} />
      {known.length > 0 && (
        <p class="help">The share of their latest interactions, weighted by their kind.</p>
      )}
      <div class="tastes">
        {known.map(([title, rows]) => (
          <div key={title}>
            <h3>{title}</h3>
            <Scores
              of={`${title}: `}
              rows={rows.slice(0, SHOWN).map((row) => ({ ...row, figure: percent(row.share ?? 0) }))}
            />
          </div>
        ))}
      </div>
    </Section>
  );
}

function ColdStart({ cold_start }: { cold_start: ViewerInsight['cold_start'] }) {
  const { is_cold, interactions, latest_at, min_interactions, inactive_days } = cold_start;
  return (
    <p>
      <span class={is_cold ? 'badge warn' : 'badge'}>{is_cold ? 'Cold start' : 'Past the cold start'}</span>{' '}
      {whole(interactions)} likes, comments, shares and bookmarks
      {latest_at !== null && [', the latest ', <Ago key="at" at={latest_at} />]}.{' '}
      {is_cold &&
        `With fewer than ${min_interactions}, or none for ${inactive_days} days, feeds use their cold start feed.`}
    </p>
  );
}
