import type { ViewerInsight } from '../../../../../openapi/client/src/index.ts';
import { linkTo } from '../../router.ts';
import { nameOfChannel } from '../../ui/channel-input.tsx';
import { languageName } from '../../ui/language-name.ts';
import { Ago } from '../../ui/time.tsx';
import { useUserNames } from '../../ui/users.ts';

const SHARE = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
/** Of each kind. */
const SHOWN = 8;

interface Row {
  text: string;
  href?: string;
  note?: string;
  share: number;
}

/** What the service thinks that a viewer likes. */
export function Taste({ insight }: { insight: ViewerInsight }) {
  const { authors, channels, languages, labels } = insight;
  const by_share = authors.toSorted((one, other) => other.share - one.share).slice(0, SHOWN);
  const nameOf = useUserNames(by_share.map(({ user_id }) => user_id));
  const of_authors = by_share.map(({ user_id, share, follows }) => ({
    ...{ text: nameOf(user_id), href: linkTo(['viewers', user_id]), share },
    note: follows ? 'follows' : undefined,
  }));
  const of_channels = channels.map(({ value, share }) => ({
    ...{ text: nameOfChannel(value), href: linkTo(['posts'], { by: 'channel', q: value }), share },
  }));
  const of_languages = languages.map(({ value, share }) => ({ text: languageName(value), share }));
  const of_labels = labels.map(({ value, share }) => ({ text: value, share }));
  const is_known = [authors, channels, languages, labels].some(({ length }) => length > 0);
  return (
    <section aria-label="What they like">
      <h2>What the service thinks they like</h2>
      <ColdStart cold_start={insight.cold_start} />
      {is_known && <p class="help">The share of their latest interactions, weighted by their kind.</p>}
      <div class="tastes">
        <Shares title="Authors" rows={of_authors} />
        <Shares title="Channels" rows={of_channels} />
        <Shares title="Languages" rows={of_languages} />
        <Shares title="Labels" rows={of_labels} />
      </div>
    </section>
  );
}

function ColdStart({ cold_start }: { cold_start: ViewerInsight['cold_start'] }) {
  const { is_cold, interactions, latest_at, min_interactions, inactive_days } = cold_start;
  return (
    <p>
      <span class={is_cold ? 'badge warn' : 'badge'}>{is_cold ? 'Cold start' : 'Past the cold start'}</span>{' '}
      {interactions.toLocaleString('en')} likes, comments, shares and bookmarks
      {latest_at !== null && (
        <>
          , the latest <Ago at={latest_at} />
        </>
      )}
      .{' '}
      {is_cold &&
        `With fewer than ${min_interactions}, or none for ${inactive_days} days, feeds use their cold start feed.`}
    </p>
  );
}

function Shares({ title, rows }: { title: string; rows: readonly Row[] }) {
  if (rows.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul class="scores">
        {rows.slice(0, SHOWN).map(({ text, href, note, share }) => (
          <li key={href ?? text}>
            <span>
              {href === undefined ? text : <a href={href}>{text}</a>} {note && <small>{note}</small>}
            </span>
            <meter min={0} max={1} value={share} aria-label={`${title}: ${text}`} />
            <span class="number">{SHARE.format(share)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
